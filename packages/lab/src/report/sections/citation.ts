import { type Html, html } from "./html.js";

/** BibTeX of the paper and of the software: what CITATION.cff says, which a test compares. */
export function citation(version: string, hash: string): string {
  return `@inproceedings{huang2022adaptive,
  title     = {Adaptive Best-of-Both-Worlds Algorithm for Heavy-Tailed Multi-Armed Bandits},
  author    = {Huang, Jiatai and Dai, Yan and Huang, Longbo},
  booktitle = {Proceedings of the 39th International Conference on Machine Learning},
  volume    = {162},
  publisher = {PMLR},
  year      = {2022}
}

@software{tsallis,
  title   = {tsallis: heavy-tailed multi-armed bandits, best of both worlds},
  author  = {{the tsallis authors}},
  version = {${version}},
  note    = {experiment ${hash.slice(0, 8)}}
}`;
}

/** Text to copy, with a button that the page's script puts before it. */
export function copied(what: string, text: string): Html {
  return html`<div class="copied"><pre tabindex="0" data-copy="${what}"><code>${text}</code></pre></div>`;
}
