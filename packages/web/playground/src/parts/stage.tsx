import type { ComponentChildren } from "preact";

/** The place of a figure. Where it is next to the prose, it is as tall as the prose, and what is in it stays in view while the prose scrolls. */
export function Stage({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="stage">
      <div class="held">{children}</div>
    </div>
  );
}
