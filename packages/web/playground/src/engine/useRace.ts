import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Engine, type EngineSettings, type RaceView } from "./engine.js";
import { keyOf, type Race } from "./race.js";

/** A race that plays, and what can be done with it. */
export interface Racing {
  /** Null if the race cannot be played, and then there is a reason; or if it is not shown before its end. */
  readonly view: RaceView | null;
  readonly reason: string | null;
  /** The part that is played, of a race that is not shown before its end. */
  readonly share: number;
  play(): void;
  pause(): void;
  /** One round. */
  step(): void;
  /** As fast as it goes, up to a round. */
  to(round: number): void;
  /** From the first round on, or at once from a later one on. */
  again(from?: number): void;
  readonly speed: number;
  setSpeed(roundsPerSecond: number): void;
  runHashes(): Promise<(string | null)[]>;
}

export interface RaceSettings extends EngineSettings {
  /** Rounds per second at first. */
  readonly speed: number;
  /** Whether its end is shown at once, and nothing before. */
  readonly atEnd: boolean;
  /** Rounds around which it plays slowly. */
  readonly slow?: readonly number[];
}

const NONE = { view: null, reason: null, share: 0 };

/** Plays a race while the component is there; without a race it does nothing. Another race, or `again`, starts over. */
export function useRace(race: Race | null, { speed: initialSpeed, atEnd, slow = [], against = "arm", moved = null }: RaceSettings): Racing {
  const key = race === null ? "" : `${keyOf(race)} ${JSON.stringify(moved)} ${against}`;
  const [speed, setSpeed] = useState(initialSpeed);
  const [start, setStart] = useState({ from: 0, tries: 0 });
  const [state, setState] = useState<Pick<Racing, "view" | "reason" | "share">>(NONE);
  const engine = useRef<Engine | null>(null);
  const pace = useRef({ speed, slow, from: 0 });
  pace.current = { ...pace.current, speed, slow };
  // Starting over is asked for by somebody who wants to see it.
  const showsEnd = atEnd && start.tries === 0;

  // The key stands for the race.
  useEffect(() => {
    if (race === null) {
      setState(NONE);
      return;
    }
    let frame = 0;
    let made: Engine | null = null;
    const show = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (made === null) return;
        const { view } = made;
        const isHidden = showsEnd && view.round < race.rounds;
        setState({ view: isHidden ? null : view, reason: null, share: view.round / race.rounds });
      });
    };
    try {
      made = new Engine(race, show, { against, moved });
      engine.current = made;
      if (!showsEnd) setState({ view: made.view, reason: null, share: 0 });
      pace.current.from = start.from;
      made.go(showsEnd ? {} : pace.current);
    } catch (error) {
      setState({ view: null, reason: (error as Error).message, share: 0 });
    }
    return () => {
      cancelAnimationFrame(frame);
      made?.stop();
      engine.current = null;
    };
  }, [key, start]);

  return useMemo(
    () => ({
      ...state,
      play: () => engine.current?.go(pace.current),
      pause: () => engine.current?.pause(),
      step: () => engine.current?.go({}, (engine.current.view.round ?? 0) + 1),
      to: (round: number) => engine.current?.go({}, round),
      again: (from = 0) => setStart(({ tries }) => ({ from, tries: tries + 1 })),
      speed,
      setSpeed: (value: number) => {
        setSpeed(value);
        pace.current = { ...pace.current, speed: value };
        if (engine.current?.view.isPlaying) engine.current.go(pace.current);
      },
      runHashes: () => engine.current?.runHashes() ?? Promise.resolve([]),
    }),
    [state, speed],
  );
}
