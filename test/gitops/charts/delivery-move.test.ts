import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ensureNamespace, HelmRelease } from '../../../lib';
import type { Delivery } from '../../../lib/gitops/charts/helm-release';
import { buildCluster } from '../../../lib/gitops/synth/build-cluster';
import type { KubernetesObject } from '../../../lib/kubernetes/kubernetes-object';
import { COMPARE_OPTIONS, SYNC_OPTIONS, SYNC_WAVE } from '../../../lib/kubernetes/sync-options';
import { goTool } from '../../support/go-tools';
import { chartFolder, PINNED, WIDGETS } from './widgets-chart';

const outdir = mkdtempSync(join(tmpdir(), 'delivery-'));
afterAll(() => rmSync(outdir, { recursive: true }));

function filesOf(delivery: Delivery): ReadonlyMap<string, string> {
  return buildCluster({
    name: 'home',
    props: { charts: chartFolder() },
    build: (home) => {
      ensureNamespace(home, 'shop');
      new HelmRelease(home, 'widgets', { chart: PINNED, namespace: 'shop', values: { replicas: 4 }, delivery });
    },
  }).files;
}

/** What Argo CD applies of a folder with a chart: `helm template`, under the name of the folder. */
function inflated(): readonly KubernetesObject[] {
  const files = [...filesOf('helm')].filter(([path]) => path.startsWith('shop/'));
  const parts = Object.entries(WIDGETS).map(([path, text]) => [`shop/charts/widgets/${path}`, text] as const);
  for (const [path, text] of [...files, ...parts]) {
    mkdirSync(dirname(join(outdir, path)), { recursive: true });
    writeFileSync(join(outdir, path), text);
  }
  const args = ['template', 'shop', join(outdir, 'shop'), '--namespace', 'shop', '--include-crds'];
  const printed = execFileSync(goTool('helm'), [...args, '--kube-version', 'v1.34.0'], { encoding: 'utf8' });
  return parseAllDocuments(printed).flatMap((document) => document.toJS() ?? []);
}

/** An object without what only orders and keeps it; where it has no namespace, Argo CD takes the Application's. */
function asApplied({ metadata: { annotations = {}, ...metadata }, ...object }: KubernetesObject): unknown {
  const { [SYNC_WAVE]: _wave, [SYNC_OPTIONS]: _options, [COMPARE_OPTIONS]: _compare, ...others } = annotations;
  const isClusterScoped = ['CustomResourceDefinition', 'Widget', 'Namespace'].includes(object.kind);
  return {
    ...object,
    metadata: { ...(isClusterScoped ? {} : { namespace: 'shop' }), ...metadata, annotations: others },
  };
}

function byName(objects: readonly unknown[]): readonly unknown[] {
  return objects.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test('a release that moves between helm and manifests applies the same objects, so that none is deleted', () => {
  const rendered = [...filesOf('manifests')]
    .filter(([path]) => path.startsWith('shop/') && path.endsWith('.yaml'))
    .map(([, text]) => parse(text) as KubernetesObject);
  const before = inflated().filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test');
  expect(byName(rendered.map(asApplied))).toEqual(byName(before.map(asApplied)));
});
