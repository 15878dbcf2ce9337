import type { ComponentType } from "preact";
import type { Race } from "../engine/race.js";
import type { Handle, Handles } from "../state/handles.js";

export interface SceneProps {
  readonly scene: Scene;
  readonly handles: Handles;
  setHandles(handles: Handles): void;
  /** The race of the sandbox; null elsewhere. */
  readonly given: Race | null;
  setGiven(race: Race): void;
}

/** A page of the playground: one claim, one figure, at most two handles, one thing to try. */
export interface Scene {
  /** In addresses and file names. */
  readonly name: string;
  readonly title: string;
  /** In the line of progress. */
  readonly short: string;
  /** One sentence. */
  readonly claim: string;
  /** How often that was seen, in runs that were not looked at before: a test counts them, and compares this sentence. */
  readonly counted: string;
  readonly handles: readonly Handle[];
  /** What it plays, or what plays best to its claim: this is exported, and the lab plays it too. */
  race(handles: Handles): Race;
  /** Its figure and its words. */
  readonly Body: ComponentType<SceneProps>;
}
