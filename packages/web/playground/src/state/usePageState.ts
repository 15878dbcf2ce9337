import { useEffect, useRef, useState } from "preact/hooks";
import { type Addressed, addressOf, type PageState, readAddress } from "./address.js";
import { initialHandles } from "./handles.js";

export interface Page {
  readonly state: PageState;
  /** What was wrong with the address that the page was opened with. */
  readonly message: string | null;
  change(state: PageState): void;
}

/** A handle that moves changes the state many times a second, and browsers refuse so many changes of the address. */
const REST_MS = 200;

/** Of a state that is too long for an address, the scene at least. */
const placeOf = (state: PageState) => `#${addressOf(state) ?? addressOf({ ...state, race: null })}`;

/** The state of the page, which is in its address too: a link shows the same to others, and "back" goes back. */
export function usePageState(scenes: readonly Addressed[]): Page {
  const read = (): { state: PageState; message: string | null } => {
    const text = location.hash.slice(1);
    const first = { scene: scenes[0]!.name, handles: initialHandles(scenes[0]!.handles), race: null };
    if (text === "") return { state: first, message: null };
    try {
      return { state: readAddress(text, scenes), message: null };
    } catch (error) {
      return { state: first, message: (error as Error).message };
    }
  };
  const [page, setPage] = useState(read);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const follow = () => {
      clearTimeout(resting.current);
      setPage(read());
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return {
    ...page,
    change(state) {
      const address = addressOf(state);
      clearTimeout(resting.current);
      // Moving a handle is no page of its own; another scene is.
      if (state.scene === page.state.scene) resting.current = setTimeout(() => history.replaceState(null, "", placeOf(state)), REST_MS);
      else {
        // "back" comes to the scene as it was left, even at once.
        history.replaceState(null, "", placeOf(page.state));
        history.pushState(null, "", placeOf(state));
      }
      setPage({ state, message: address === null ? "this state is too long for an address, so it cannot be shared by one" : null });
    },
  };
}
