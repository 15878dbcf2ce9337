/** Where the repository is, such as "https://github.com/owner/name". Null until it is public: then pages link inside the repository only, and the site names no source. @type {string | null} */
export const REPOSITORY = null;
/** Where the site is published, without a slash at the end. Null until it is. @type {string | null} */
export const SITE = null;
/** The path of the site on its host. */
export const BASE = SITE === null ? "/" : `${new URL(SITE).pathname.replace(/\/$/, "")}/`;
