import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { unbroken } from "../../common/unbroken.js";
import { useMedia } from "../../common/useMedia.js";
import { STUCK } from "./parts/runDots.js";
import { SCENES } from "./scenes/scenes.js";
import { addressOf } from "./state/address.js";
import { initialHandles } from "./state/handles.js";
import { usePageState } from "./state/usePageState.js";

/** Where the figure has no room next to the words: what was counted then comes after it. */
const NARROW = "(max-width: 40rem)";

export function App() {
  const isNarrow = useMedia(NARROW);
  const { state, message, change } = usePageState(SCENES);
  const main = useRef<HTMLElement>(null);
  const place = SCENES.findIndex(({ name }) => name === state.scene);
  const scene = SCENES[place]!;
  const { Body } = scene;
  const shown = useRef(scene.name);
  const progress = useRef<HTMLOListElement>(null);
  useEffect(() => {
    document.title = `${scene.title} · tsallis playground`;
    // After a link, keyboard and screen reader begin at the new scene's heading.
    if (shown.current !== scene.name) {
      scrollTo(0, 0);
      main.current?.querySelector("h1")?.focus();
    }
    shown.current = scene.name;
    const list = progress.current!;
    const here = list.children[place] as HTMLElement;
    list.scrollLeft = here.offsetLeft - (list.clientWidth - here.clientWidth) / 2;
  }, [scene]);
  const open = (index: number) => change({ scene: SCENES[index]!.name, handles: initialHandles(SCENES[index]!.handles), race: null });
  const link = (index: number, words: ComponentChildren, label?: string) => {
    const { name, handles } = SCENES[index]!;
    return (
      <a
        href={`#${addressOf({ scene: name, handles: initialHandles(handles), race: null })}`}
        aria-current={index === place ? "page" : undefined}
        aria-label={label}
        title={label}
        onClick={(event) => {
          event.preventDefault();
          open(index);
        }}
      >
        {words}
      </a>
    );
  };
  const counted = <Counted key="counted" sentence={scene.counted} />;
  return (
    <>
      <header>
        <div class="bar">
          <button type="button" class="skip" onClick={() => main.current?.focus()}>
            Skip to the scene
          </button>
          <span class="brand">
            <img src="icon.svg" alt="" width="22" height="22" />
            tsallis playground
          </span>
          <nav aria-label="Scenes">
            <ol class="progress" ref={progress}>
              {SCENES.map(({ name, short, title }, index) => (
                <li key={name} class={index <= place ? "past" : undefined}>
                  {link(
                    index,
                    <>
                      {index + 1}
                      <span class="word"> {short}</span>
                    </>,
                    `${index + 1} ${short}${short === title ? "" : `: ${title}`}`,
                  )}
                </li>
              ))}
            </ol>
          </nav>
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        {message !== null && (
          <p class="message" role="alert">
            {message}
          </p>
        )}
        <h1 tabIndex={-1}>{scene.title}</h1>
        <p class="claim">{scene.claim}</p>
        {!isNarrow && counted}
        <Body
          key={scene.name}
          scene={scene}
          handles={state.handles}
          setHandles={(handles) => change({ ...state, handles })}
          given={state.race}
          setGiven={(race) => change({ ...state, race })}
        />
        {isNarrow && counted}
        {place + 1 < SCENES.length && <p class="next">Next: {link(place + 1, SCENES[place + 1]!.title)}</p>}
      </main>
    </>
  );
}

/** How often the claim was seen, in one line. What "stuck" means is found by opening it. */
function Counted({ sentence }: { readonly sentence: string }) {
  if (!/\bstuck\b/.test(sentence)) return <p class="counted">{unbroken(sentence)}</p>;
  return (
    <details class="counted">
      <summary>{unbroken(sentence)}</summary>
      <p>A run is stuck if {STUCK}.</p>
    </details>
  );
}
