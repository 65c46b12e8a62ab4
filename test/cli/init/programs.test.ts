import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answers } from '#lib/cli/init/answers';
import { planProject } from '#lib/cli/init/project';
import type { SynthReport } from '#lib/gitops/platform/report';

const ROOT = join(__dirname, '..', '..', '..');
const CACHE = join(ROOT, '.cache');

let folder: string;

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'init-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const ALL = [true, false].flatMap((operator) =>
  [true, false].flatMap((highAvailability) =>
    (['install', 'existing'] as const).flatMap((gatewayApi) =>
      [['home'], ['1', 'on', 'a-b']].flatMap((clusters) =>
        [true, false].map((fleet) => ({ operator, highAvailability, gatewayApi, clusters, fleet })),
      ),
    ),
  ),
);

test.each(ALL)('a program that init writes has no warnings: %j', (answers) => {
  const common = {
    repoUrl: "git@git.example.com:it's/platform.git",
    path: 'a/mesh',
    ci: 'none',
    library: '*',
  } as const;
  const there = { name: 'a', files: new Map(), folders: new Set<string>() };
  const project = planProject({ ...common, ...answers } satisfies Answers, there);
  if (!('created' in project)) throw new Error(JSON.stringify(project));
  const place = mkdtempSync(join(folder, 'p-'));
  for (const [path, text] of project.created) writeFileSync(join(place, path), runnable(text, place));
  const { report } = require(join(place, 'main.ts')) as { readonly report: SynthReport };
  expect(report.warnings).toEqual([]);
  expect(report.clusters).toEqual(answers.clusters);
  expect(report.differences.length).toBeGreaterThan(0);
});

/** A program that Jest can run in this folder, and that returns its warnings. */
function runnable(text: string, place: string): string {
  return text
    .replace("'cdk8s-linkerd'", JSON.stringify(join(ROOT, 'lib', 'index')))
    .replace("readFleet('fleet.yaml')", `readFleet(${JSON.stringify(join(place, 'fleet.yaml'))})`)
    .replace("outdir: 'mesh'", `outdir: ${JSON.stringify(join(place, 'mesh'))}`)
    .replace('platform.run();', 'export const report = platform.synth({ check: true });');
}
