import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import { allFilesInFolder, clustersInFolder } from '#bin/folder-output';
import { LinkerdMesh, type LinkerdMeshProps } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import type { Output } from '#lib/review/compare/output';
import { outputDiff } from '#lib/review/diff/diff';
import { DEFAULT_LIMIT } from '#lib/review/diff/formats/formats';
import { renderDiff } from '#lib/review/diff/formats/render';

type Props = LinkerdMeshProps<'edge-26.8.3'>;

const RELEASE = { version: 'edge-26.8.3', crds: { gatewayApi: 'existing' }, viz: false } as const;

const CHANGES: Readonly<Record<string, readonly [before: Props, after: Props]>> = {
  window: [
    RELEASE,
    { ...RELEASE, pki: { identityIssuer: { duration: Duration.hours(48), renewBefore: Duration.hours(30) } } },
  ],
  value: [RELEASE, { ...RELEASE, values: { proxy: { logLevel: 'info' } } }],
};

/** Two outputs of a change. */
export interface ChangedOutputs {
  readonly before: Output;
  readonly after: Output;
}

/** The differences that docs/diff.md shows, by name, as the command prints them. */
export function exampleDiffs(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(CHANGES).map((name) => [name, diffText(changedOutputs(name))]));
}

/** The difference of two outputs, as the command prints it. */
export function diffText(outputs: ChangedOutputs): string {
  return renderDiff(outputDiff({ ...outputs, from: 'HEAD', to: 'dist' }), 'text', DEFAULT_LIMIT);
}

/** The outputs before and after one of the changes. */
export function changedOutputs(name: string): ChangedOutputs {
  const change = CHANGES[name];
  if (change === undefined) throw new Error(`there is no example "${name}"`);
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-'));
  try {
    const [before, after] = change.map((props, index) => {
      const output = join(folder, `${index}`);
      synthesize(output, props);
      return allFilesInFolder(output, clustersInFolder(output));
    });
    if (before === undefined || after === undefined) throw new Error('a change has two sides');
    return { before, after };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function synthesize(outdir: string, props: Props): void {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  platform.addCluster('home', {}, (cluster) => {
    new LinkerdMesh(cluster, 'mesh', props as LinkerdMeshProps<'edge-26.8.3'>);
  });
  platform.synth();
}

/** Returns a page with new examples. Each is in a block below a comment with its name. */
export function withExamples(page: string, examples: Readonly<Record<string, string>>): string {
  return page.replace(
    /(<!-- example: (\w+) -->\n```text\n)[\s\S]*?(```)/g,
    (_, start: string, name: string, end: string) => {
      const example = examples[name];
      if (example === undefined) throw new Error(`there is no example "${name}"`);
      return `${start}${example}${end}`;
    },
  );
}
