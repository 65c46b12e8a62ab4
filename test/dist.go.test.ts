import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { checkObject } from '#kubernetes/schemas/schema';
import { fingerprints, readFiles } from './gitops/synth/output/tree-on-disk';
import { goTool } from './support/go-tools';

const HELM = goTool('helm');

const root = join(__dirname, '..');
const dist = join(root, 'dist');
const bin = join(root, 'node_modules', '.bin');

const committed = readFiles(dist);
const manifests = Object.keys(committed).filter(
  (file) => file.endsWith('.yaml') && !['Chart.yaml', 'values.yaml', '.argocd-source.yaml'].includes(basename(file)),
);
const umbrellas = Object.keys(committed)
  .filter((file) => basename(file) === 'Chart.yaml')
  .map(dirname);

describe('dist', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dist-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is what `cdk8s synth` writes', () => {
    const outdir = join(folder, 'cdk8s');
    const env = { ...process.env, CDK8S_OUTDIR: undefined, PATH: `${bin}:${process.env.PATH}` };
    execFileSync(join(bin, 'cdk8s'), ['synth', '--check-upgrade=false', '--output', outdir], {
      cwd: root,
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    });
    expect(readFiles(outdir)).toEqual(committed);
  });

  it('is made by `cdk8s synth` with the script that bundles the operator first', () => {
    expect(parse(readFileSync(join(root, 'cdk8s.yaml'), 'utf8')).app).toBe('npm run --silent synth');
  });

  it('has one object in every manifest, whose name the file has', () => {
    for (const file of manifests) {
      const documents = parseAllDocuments(committed[file] ?? '');
      expect(documents).toHaveLength(1);
      const { kind, metadata } = parse(committed[file] ?? '');
      expect(basename(file)).toMatch(new RegExp(`^${kind.toLowerCase()}(\\..+)?\\.${metadata.name}\\.yaml$`));
    }
  });

  it.each(manifests)('has a valid object in %s', (file) => {
    expect(checkObject(parse(committed[file] ?? ''))).toEqual([]);
  });

  it('has no private key', () => {
    for (const text of Object.values(committed)) expect(text).not.toMatch(/-----BEGIN[A-Z ]* PRIVATE KEY-----/);
  });

  it('leaves CA bundles to cainjector', () => {
    const webhooks = manifests.flatMap((file) => parse(committed[file] ?? '').webhooks ?? []);
    expect(webhooks.length).toBeGreaterThan(0);
    for (const { clientConfig } of webhooks) expect(clientConfig).not.toHaveProperty('caBundle');
  });

  it('syncs routes of a Gateway last in their folder, as they wait for the Gateway to accept them', () => {
    const objects = manifests.map((file) => ({ folder: dirname(file), ...parse(committed[file] ?? '') }));
    const waveOf = ({ metadata }: (typeof objects)[number]) =>
      Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
    const ingresses = objects.filter(({ spec }) => {
      const parents: readonly { readonly kind: string }[] = spec?.parentRefs ?? [];
      return parents.some(({ kind }) => kind === 'Gateway');
    });
    expect(ingresses.length).toBeGreaterThan(0);
    for (const ingress of ingresses) {
      const later = objects.filter((other) => other.folder === ingress.folder && waveOf(other) > waveOf(ingress));
      expect(later.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    }
  });

  it('has umbrella charts', () => expect(umbrellas.length).toBeGreaterThan(3));

  it.each(umbrellas)('has templates in %s that Helm prints unchanged', (umbrella) => {
    const chart = join(folder, umbrella.replaceAll('/', '-'));
    cpSync(join(dist, umbrella), chart, { recursive: true });
    // Removes the dependencies: Argo CD downloads these charts, and our templates do not use them.
    const { dependencies, ...metadata } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
    expect(dependencies.length).toBeGreaterThan(0);
    writeFileSync(join(chart, 'Chart.yaml'), stringify(metadata));
    const printed = execFileSync(HELM, ['template', 'release', chart], { encoding: 'utf8' });
    const sources = Object.fromEntries(
      printed
        .split(/^---\n/m)
        .filter((document) => document.startsWith('# Source: '))
        .map((document) => {
          const [, file = '', text = ''] = /^# Source: [^/]+\/(\S+)\n([\s\S]*)$/.exec(document) ?? [];
          return [join(umbrella, file), text.trimEnd()];
        }),
    );
    const ours = manifests.filter((file) => file.startsWith(`${umbrella}/`));
    expect(Object.keys(sources).sort()).toEqual(ours.sort());
    for (const file of ours) {
      expect(parse(sources[file] ?? '')).toEqual(parse(helmText(file)));
    }
  });

  it('is not touched by a second synthesis', () => {
    const before = fingerprints(dist);
    execFileSync(join(bin, 'tsx'), ['main.ts'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    expect(fingerprints(dist)).toEqual(before);
  });

  /** Returns the expected text of a rendered template: its own text without escapes for Helm. */
  function helmText(file: string): string {
    return (committed[file] ?? '').replaceAll('{{`{{`}}', '{{');
  }
});
