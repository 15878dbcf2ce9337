import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Handles } from "../state/handles.js";

/** What a step of the prose asks of the figure. `count` grows with every request. */
export interface Cue {
  readonly at: "start" | "end" | number;
  readonly count: number;
}

export interface Step {
  readonly title: string;
  readonly words: ComponentChildren;
  /** The handles that it sets. */
  readonly handles?: Handles;
  /** Where the race then is; it goes on from there. */
  readonly at: Cue["at"];
}

interface Props {
  readonly steps: readonly Step[];
  onStep(step: Step): void;
}

/** Where the figure is next to the prose. */
const WIDE = "(min-width: 1100px)";
/** A step is read when it crosses this part of the window. */
const BAND = "-25% 0px -65% 0px";

/** Keys that scroll the page. */
const SCROLLING = new Set(["PageDown", "PageUp", "ArrowDown", "ArrowUp", "Home", "End", " "]);
/** What has a use of its own for them. */
const TAKING_KEYS = "button, input, select, [role=slider]";

/**
 * Short steps of prose. The one that is read sets the figure: by scrolling where both are in view, and by its title everywhere. Where the page scrolls only because the
 * focus passes on to something out of view, nothing is read, and the figure stays as it is.
 */
export function Steps({ steps, onStep }: Props) {
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(0);
  const show = (place: number) => {
    if (shown.current === place) return;
    shown.current = place;
    setActive(place);
    onStep(steps[place]!);
  };
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const wide = matchMedia(WIDE);
    const places = [...list.current!.children];
    const inBand = new Set<number>();
    let isFocusMoving = false;
    const follow = () => {
      if (inBand.size > 0 && wide.matches && !isFocusMoving) latest.current(Math.max(...inBand));
    };
    const onFocus = () => {
      isFocusMoving = true;
    };
    const onScrolling = (event: Event) => {
      if (event instanceof KeyboardEvent && (!SCROLLING.has(event.key) || (event.target as Element).matches(TAKING_KEYS))) return;
      isFocusMoving = false;
      // A press of the mouse may be on the scroll bar, and may be on the figure.
      if (event.type !== "pointerdown") follow();
    };
    const scrolling = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    addEventListener("focusin", onFocus);
    for (const type of scrolling) addEventListener(type, onScrolling, { passive: true });
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inBand.add(places.indexOf(target));
          else inBand.delete(places.indexOf(target));
        }
        follow();
      },
      { rootMargin: BAND },
    );
    for (const place of places) observer.observe(place);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", onFocus);
      for (const type of scrolling) removeEventListener(type, onScrolling);
    };
  }, []);
  return (
    <div class="steps" ref={list}>
      {steps.map(({ title, words }, place) => (
        <section class={`step ${place === active ? "active" : ""}`} key={title}>
          <h2>
            <button
              type="button"
              class="step-title"
              aria-pressed={place === active}
              onClick={() => {
                shown.current = -1;
                show(place);
                if (!matchMedia(WIDE).matches) document.querySelector(".stage")?.scrollIntoView();
              }}
            >
              {title}
            </button>
          </h2>
          {words}
        </section>
      ))}
    </div>
  );
}
