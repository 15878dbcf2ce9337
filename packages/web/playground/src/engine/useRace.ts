import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Against, Engine, type RaceView } from "./engine.js";
import { keyOf, type Race } from "./race.js";

/** A race that plays, and what can be done with it. */
export interface Racing {
  /** Null if the race cannot be played; then there is a reason. */
  readonly view: RaceView | null;
  readonly reason: string | null;
  play(): void;
  pause(): void;
  /** One round. */
  step(): void;
  /** As fast as it goes, up to a round. */
  to(round: number): void;
  again(): void;
  readonly speed: number;
  setSpeed(roundsPerSecond: number): void;
  runHashes(): Promise<(string | null)[]>;
}

/** Plays a race while the component is there. Another race, or `again`, begins anew. `playsAtOnce`: whether it begins by itself. */
export function useRace(race: Race, initialSpeed: number, playsAtOnce: boolean, against: Against = "arm"): Racing {
  const key = keyOf(race);
  const [speed, setSpeed] = useState(initialSpeed);
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<{ view: RaceView | null; reason: string | null }>({ view: null, reason: null });
  const engine = useRef<Engine | null>(null);
  const pace = useRef(speed);
  pace.current = speed;

  // The key stands for the race.
  useEffect(() => {
    let frame = 0;
    let made: Engine | null = null;
    const show = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (made !== null) setState({ view: made.view, reason: null });
      });
    };
    try {
      made = new Engine(race, show, against);
      engine.current = made;
      setState({ view: made.view, reason: null });
      if (playsAtOnce) made.go(pace.current);
    } catch (error) {
      setState({ view: null, reason: (error as Error).message });
    }
    return () => {
      cancelAnimationFrame(frame);
      made?.stop();
      engine.current = null;
    };
  }, [key, tries]);

  return useMemo(
    () => ({
      ...state,
      play: () => engine.current?.go(pace.current),
      pause: () => engine.current?.pause(),
      step: () => engine.current?.go(Number.POSITIVE_INFINITY, (engine.current.view.round ?? 0) + 1),
      to: (round: number) => engine.current?.go(Number.POSITIVE_INFINITY, round),
      again: () => setTries((before) => before + 1),
      speed,
      setSpeed: (value: number) => {
        setSpeed(value);
        pace.current = value;
        if (engine.current?.view.isPlaying) engine.current.go(value);
      },
      runHashes: () => engine.current?.runHashes() ?? Promise.resolve([]),
    }),
    [state, speed],
  );
}
