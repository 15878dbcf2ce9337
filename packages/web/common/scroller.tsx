import type { ComponentChildren } from "preact";

/** A box for a wide table. It scrolls by itself, also with the keyboard, so that the page does not. */
export function Scroller({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
