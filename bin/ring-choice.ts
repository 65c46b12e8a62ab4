import type { Output } from '../lib/compare/output';
import { INDEX_FILE, parseIndex } from '../lib/synth/output/cluster-index';
import { Misuse } from './terminal';

/**
 * The clusters that are in a ring by the later output, or were by the earlier one and are gone.
 *
 * @throws Misuse where there is none
 */
export function inRing(
  ring: string,
  before: Output,
  after: Output,
): { readonly before: Output; readonly after: Output } {
  const ringOf = (name: string) => parseIndex((after.get(name) ?? before.get(name))?.get(INDEX_FILE) ?? '').ring;
  const names = new Set([...after.keys(), ...before.keys()].filter((name) => ringOf(name) === ring));
  if (names.size === 0) throw new Misuse(`--ring ${ring}: no cluster is in it`);
  const chosen = (output: Output) => new Map([...output].filter(([name]) => names.has(name)));
  return { before: chosen(before), after: chosen(after) };
}
