/** What an action asks of the service. The path is relative to the page. */
export interface ActionRequest {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object | undefined;
}

/** The same request for a shell. A key is named, not shown. */
export function curlOf({ method, path, body }: ActionRequest, base: string, hasKey: boolean): string {
  const parts = [`curl -X ${method} ${quoted(new URL(path, base).href)}`];
  if (hasKey) parts.push('-H "authorization: Bearer $TSALLIS_KEY"');
  if (body !== undefined) parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" ");
}

function quoted(text: string): string {
  return /^[\w:/.@%=?&-]+$/.test(text) && !/[&?]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
