import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { chartInflater } from '../lib/cli/inflate-chart';
import { ARGOCD_FOLDER, type Output } from '../lib/compare/output';
import { withoutSecrets } from '../lib/compare/without-secrets';
import { printableText } from '../lib/problems/printable-text';
import { INDEX_FILE, parseIndex } from '../lib/synth/output/cluster-index';
import { acknowledged, upgradePlan } from '../lib/upgrade/plan';
import { planText } from '../lib/upgrade/plan-text';
import { outputInFolder } from './folder-output';
import { outputAtRevision } from './git-output';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `upgrade plan`. */
export interface PlanOptions {
  readonly from: string;
  readonly to: string;
  readonly ring?: string;
  readonly json?: true;
  readonly acknowledge?: readonly string[];
}

/** Prints what moving from an earlier output to a later one does. */
export function plan({ from, to, ring, json, acknowledge = [] }: PlanOptions, { stdout }: Terminal): number {
  const later = resolve(to);
  if (!isFolder(later)) throw new Misuse(`--to ${to} is not a folder`);
  const [before, after] = [
    isFolder(from) ? outputInFolder(from) : outputAtRevision(from, later),
    outputInFolder(later),
  ];
  const all = [clustersOf(before, `--from ${from}`), clustersOf(after, `--to ${to}`)] as const;
  const found = upgradePlan(...(ring === undefined ? all : inRing(ring, ...all)), chartInflater());
  // No key and no password is shown, though the output should have none.
  const made = withoutSecrets(acknowledged(found, acknowledge));
  stdout.write(printableText(json ? `${JSON.stringify(made, undefined, 2)}\n` : planText(made)));
  return made.refused ? EXIT.refused : EXIT.done;
}

function clustersOf(output: Output, option: string): Output {
  const clusters = new Map([...output].filter(([name]) => name !== ARGOCD_FOLDER));
  if (clusters.size > 0) return clusters;
  throw new Misuse(`${option} has no cluster: it is no output of a platform, or an empty one`);
}

/** The clusters that are in a ring by the later output, or were by the earlier one and are gone. */
function inRing(ring: string, before: Output, after: Output): readonly [before: Output, after: Output] {
  const ringIn = (output: Output, name: string) => parseIndex(output.get(name)?.get(INDEX_FILE) ?? '').ring;
  const names = new Set(
    [...after.keys(), ...before.keys()].filter((name) => ringIn(after.has(name) ? after : before, name) === ring),
  );
  if (names.size === 0) throw new Misuse(`--ring ${ring}: no cluster is in it`);
  const chosen = (output: Output) => new Map([...output].filter(([name]) => names.has(name)));
  return [chosen(before), chosen(after)];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
