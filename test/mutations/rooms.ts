import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fault } from './fault';
import { anchor } from './faults/anchor';
import { anchorExecutor } from './faults/anchor-executor';
import { base } from './faults/base';
import { cli } from './faults/cli';
import { constructs } from './faults/constructs';
import { gitops } from './faults/gitops';
import { guards } from './faults/guards';
import { helm } from './faults/helm';
import { kubernetes } from './faults/kubernetes';
import { linkerd } from './faults/linkerd';
import { operator } from './faults/operator';
import { operatorRuntime } from './faults/operator-runtime';
import { review } from './faults/review';
import type { Choice } from './jest';

/** A part of the product: its faults, and the tests that mirror its folders. */
export interface Room {
  readonly name: string;
  readonly faults: readonly Fault[];
  /** Jest's patterns of the paths of tests. */
  readonly tests: readonly string[];
}

/** All rooms. The tests of a room take less than a minute. */
export const ROOMS: readonly Room[] = [
  { name: 'helm', faults: helm, tests: ['test/packages/helm/'] },
  { name: 'base', faults: base, tests: ['test/packages/base/'] },
  { name: 'kubernetes', faults: kubernetes, tests: ['test/packages/kubernetes/', 'test/checks/', 'test/bad-input/'] },
  { name: 'linkerd', faults: linkerd, tests: ['test/packages/linkerd/', 'test/checks/'] },
  { name: 'gitops', faults: gitops, tests: ['test/gitops/'] },
  { name: 'constructs', faults: constructs, tests: ['test/constructs/'] },
  { name: 'review', faults: review, tests: ['test/review/'] },
  { name: 'cli', faults: cli, tests: ['test/cli/', 'test/bin/'] },
  { name: 'operator-runtime', faults: operatorRuntime, tests: ['test/packages/controller-runtime/'] },
  { name: 'operator', faults: operator, tests: ['test/operator/(?!api/)'] },
  { name: 'anchor-executor', faults: anchorExecutor, tests: ['test/operator/anchor/'] },
  { name: 'anchor', faults: anchor, tests: ['test/packages/anchor/'] },
  { name: 'guards', faults: guards, tests: ['test/packages/anchor/'] },
];

/**
 * Returns the tests that may detect a fault, the fastest first: tests in the folder that mirrors its file's folder,
 * other tests of its room, tests of its room with programs and Go, and tests of other rooms.
 */
export function testsFor({ file }: Fault, { tests }: Room, root: string): readonly Choice[] {
  const mirror = `${mirrorOf(dirname(file), root)}/`;
  const isRoom = tests.includes(mirror) || mirror === 'test/';
  const near: readonly Choice[] = isRoom
    ? [{ doors: ['node'], in: tests }]
    : [
        { doors: ['node'], in: [mirror] },
        { doors: ['node'], in: tests, notIn: [mirror] },
      ];
  return [...near, { doors: ['program', 'go'], in: tests }, { doors: ['node'], notIn: tests }];
}

/** Returns the folder of tests that mirrors a folder, or the nearest one above it. */
function mirrorOf(folder: string, root: string): string {
  const mirror = join('test', folder.replace(/^lib\/|(?<=^operator\/)src\//, ''));
  return mirror === 'test' || existsSync(join(root, mirror)) ? mirror : mirrorOf(dirname(folder), root);
}
