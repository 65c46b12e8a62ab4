import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { printableText } from '#base/findings/printable-text';
import { unmarked } from '#kubernetes/findings/sealed-data';
import { chartInflater } from '#lib/cli/inflate-chart';
import { ARGOCD_FOLDER } from '#lib/gitops/synth/output/file-names';
import type { Output } from '#lib/review/compare/output';
import { ringsOfOutputs } from '#lib/review/diff/diff';
import { renderRings } from '#lib/review/diff/formats/render';
import { acknowledged, upgradePlan } from '#lib/review/upgrade/plan';
import { planText } from '#lib/review/upgrade/plan-text';
import { outputInFolder } from './folder-output';
import { outputAtRevision } from './git-output';
import { inRing } from './ring-choice';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `upgrade plan`. */
export interface PlanOptions {
  readonly from: string;
  readonly to: string;
  readonly ring?: string;
  readonly json?: true;
  readonly acknowledge?: readonly string[];
}

/** Prints the effects of a move from an earlier output to a later one. */
export function plan({ from, to, ring, json, acknowledge = [] }: PlanOptions, { stdout }: Terminal): number {
  const later = resolve(to);
  if (!isFolder(later)) throw new Misuse(`--to ${to} is not a folder`);
  const [before, after] = [
    isFolder(from) ? outputInFolder(from) : outputAtRevision(from, later),
    outputInFolder(later),
  ];
  const all = { before: clustersOf(before, `--from ${from}`), after: clustersOf(after, `--to ${to}`) };
  const chosen = ring === undefined ? all : inRing(ring, all.before, all.after);
  const found = upgradePlan(withPlatform(chosen.before, before), withPlatform(chosen.after, after), chartInflater());
  // Hides keys and passwords, although the output should contain none.
  const made = unmarked(acknowledged(found, acknowledge));
  const states = made.groups.flatMap(({ clusters, plan }) => clusters.map((name) => [name, plan.cluster] as const));
  const rings = ringsOfOutputs({ before, after }, new Map(states));
  const text = json ? `${JSON.stringify({ ...made, rings }, undefined, 2)}\n` : planText(made, renderRings(rings));
  stdout.write(printableText(text));
  return made.refused ? EXIT.refused : EXIT.done;
}

function clustersOf(output: Output, option: string): Output {
  const clusters = new Map([...output].filter(([name]) => name !== ARGOCD_FOLDER));
  if (clusters.size > 0) return clusters;
  throw new Misuse(`${option} contains no cluster: it is empty, or not the output of a Platform`);
}

/** Adds Argo CD's own objects, which contain the destinations of the clusters. */
function withPlatform(clusters: Output, output: Output): Output {
  const argocd = output.get(ARGOCD_FOLDER);
  return argocd === undefined ? clusters : new Map([...clusters, [ARGOCD_FOLDER, argocd]]);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
