/** Where the repository is, as in the package.json of every package. */
export const REPOSITORY = "https://github.com/tsallis/tsallis";
/** Where the site is published: GitHub Pages of that repository. */
export const SITE = "https://tsallis.github.io/tsallis";
/** The path of the site on its host. */
export const BASE = `${new URL(SITE).pathname}/`;
