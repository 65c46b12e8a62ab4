import type { Counterexample, WordedStep } from './explore';

/**
 * A counterexample, one line for each look of the operator and for each step that somebody else makes. What follows at
 * once, as was decided, is not said again.
 */
export function counterexampleText({ what, steps }: Counterexample): string {
  const lines = linesOf(steps).map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
  return [...lines, `  => ${what}`].join('\n');
}

/** The steps in words. */
export function linesOf(steps: readonly WordedStep[]): readonly string[] {
  const lines: string[] = [];
  let ticks = 0;
  for (const [index, { actor, text, isExpected }] of steps.entries()) {
    if (actor === 'time') ticks++;
    else if (ticks > 0) {
      lines.push(ticks === 1 ? 'a tick passes' : `${ticks} ticks pass`);
      ticks = 0;
    }
    const before = steps[index - 1];
    const isSaid = isExpected && before?.actor.replace('late ', '') === actor;
    if (actor !== 'time' && !isSaid) lines.push(text);
  }
  return lines;
}
