import { posix } from "node:path";

/** The links of a document that lead nowhere. `read` returns a file's text, or undefined if there is no such file or folder. */
export function brokenLinks(path: string, markdown: string, read: (path: string) => string | undefined): string[] {
  const prose = withoutCode(markdown);
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...prose.matchAll(/^\s*\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm)];
  const html = [...prose.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)];
  const targets = [...inline, ...references, ...html].map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !resolves(path, target, markdown, read));
}

function resolves(path: string, target: string, markdown: string, read: (path: string) => string | undefined): boolean {
  const [file, anchor] = target.split("#") as [string, string | undefined];
  const text = file === "" ? markdown : read(posix.join(posix.dirname(path), decodeURI(file)));
  if (text === undefined) return false;
  return anchor === undefined || anchorsOf(text).includes(anchor);
}

/** The anchors that GitHub gives to the headings of a document, and those that the document sets by id or name. */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  const headings = [...withoutCode(markdown, false).matchAll(/^#{1,6}\s+(.+?)\s*#*\s*$/gm)].map(([, heading]) => {
    const plain = heading!.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<[^>]+>/g, "");
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return [...headings, ...[...markdown.matchAll(/<\w+ (?:id|name)="([^"]+)"/g)].map(([, id]) => id!)];
}

function withoutCode(markdown: string, spansToo = true): string {
  const prose = markdown.replace(/^\s*(`{3,})[^`]*?\n[\s\S]*?^\s*\1\s*$/gm, "");
  return spansToo ? prose.replace(/(`+)[\s\S]*?\1/g, "") : prose;
}
