interface Machine {
  readonly root: string;
  readonly home: string;
  /** The address of the package registry in use, if it is known. */
  readonly registry: string | undefined;
}

/** Text that must not be in a public repository, one line each: paths on somebody's machine, and hosts from which packages were fetched. */
export function strayText(text: string, machine: Machine): string[] {
  const known = patterns(machine);
  return text.split("\n").flatMap((line, i) => {
    const what = known.find(([, pattern]) => pattern.test(line));
    return what === undefined ? [] : [`${what[0]} (line ${i + 1})`];
  });
}

function patterns({ root, home, registry }: Machine): [string, RegExp][] {
  const found: [string, RegExp][] = [
    // People and CI machines keep their checkouts here.
    ["a path below a user's folder", /(?<![\w.}*)-])\/(?:home|Users|root|work|workspaces?|builds)\/\w/],
    ["the host of a package registry", /\bregistry\.[\w.-]+\.(?:com|org|net|io|dev)\b/],
  ];
  for (const folder of [root, home]) {
    // A folder directly below "/" (such as "/src" in a container) says nothing and occurs inside other paths.
    if (folder.split(/[\\/]/).length > 2) found.push(["a path of this machine", new RegExp(`${literally(folder)}(?:[\\\\/"'\\s]|$)`)]);
  }
  if (registry !== undefined) found.push(["the host of this machine's package registry", new RegExp(literally(new URL(registry).host))]);
  return found;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
