/**
 * Where the service is, without a slash at the end. A path alone is one of the page's own site. Secrets in it are refused, since errors quote it, and a
 * query, since the routes are appended.
 */
export function address(url: string | URL): string {
  const { location } = globalThis as { location?: { readonly href: string } };
  const parsed = URL.canParse(`${url}`, location?.href) ? new URL(`${url}`, location?.href) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError("url must be an address of HTTP, such as http://127.0.0.1:7411");
  const { username, password, search, hash, origin, pathname } = parsed;
  if (username !== "" || password !== "") throw new TypeError("url must not have a user or a password; the key goes into key");
  if (search !== "" || hash !== "") throw new TypeError("url must not have a query or a fragment");
  return origin + pathname.replace(/\/+$/, "");
}
