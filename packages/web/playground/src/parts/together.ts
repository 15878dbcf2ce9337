import type { Racing } from "../engine/useRace.js";

/** Two races under one set of controls. Their view is the first one's, at the round that both have reached. */
export function together(a: Racing, b: Racing): Racing {
  const both = (act: (racing: Racing) => void) => {
    act(a);
    act(b);
  };
  const view =
    a.view === null || b.view === null
      ? null
      : { ...a.view, round: Math.min(a.view.round, b.view.round), isPlaying: a.view.isPlaying || b.view.isPlaying };
  return {
    view,
    reason: a.reason ?? b.reason,
    share: Math.min(a.share, b.share),
    speed: a.speed,
    play: () => both((racing) => racing.play()),
    pause: () => both((racing) => racing.pause()),
    step: () => both((racing) => racing.step()),
    to: (round) => both((racing) => racing.to(round)),
    again: (from) => both((racing) => racing.again(from)),
    setSpeed: (speed) => both((racing) => racing.setSpeed(speed)),
    runHashes: a.runHashes,
  };
}
