import fc from 'fast-check';
import { stringifyYaml } from '#base/yaml-writer';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { upgradePlan } from '#lib/review/upgrade/plan';
import { planText } from '#lib/review/upgrade/plan-text';
import { runs } from '../../support/depth';

const PATHS = [
  'linkerd/configmap.linkerd-config.yaml',
  'a/Chart.yaml',
  'a/values.yaml',
  'a/templates/x.yaml',
  'b/namespace.b.yaml',
  'b/daemonset.linkerd-cni.yaml',
];
const KINDS = ['ConfigMap', 'Deployment', 'CustomResourceDefinition', 'Namespace', 'Job'];
const WORDS = ['edge-26.8.3', 'linkerd-control-plane', '2026.8.3', 'linkerd-config', 'apps/v1', 'a: &x [1]\nb: *x'];
const KEYS = ['metadata', 'name', 'spec', 'values', 'template', 'containers', 'versions', 'dependencies', '__proto__'];

const scalar = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 8 }), fc.integer(), fc.constant(null));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const object = fc.record({
  apiVersion: fc.constantFrom('v1', 'apps/v1', 'apiextensions.k8s.io/v1'),
  kind: fc.constantFrom(...KINDS),
  metadata: fc.record({ name: fc.constantFrom('linkerd-config', 'a'), namespace: tree, annotations: tree }),
  spec: tree,
  data: tree,
});
const text = fc.oneof(fc.string(), fc.oneof(tree, object).map(written));
const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom('linkerd-crds edge-26.8.3', 'a.b v1* v2-')));
const index = fc.record({ charts: lines, releases: fc.option(lines), definitions: fc.option(lines) });
const cluster = fc
  .record({ files: fc.dictionary(fc.constantFrom(...PATHS), text, { noNullPrototype: true }), index })
  .map(({ files, index }) => {
    const { releases, definitions, charts } = index;
    const written = { writer: 'x', charts, releases: releases ?? undefined, definitions: definitions ?? undefined };
    return new Map([...Object.entries(files), [INDEX_FILE, JSON.stringify({ ...written, files: Object.keys(files) })]]);
  });

function written(data: unknown): string {
  try {
    return stringifyYaml(data);
  } catch {
    return '';
  }
}

test('a plan exists for any files of two outputs', () => {
  fc.assert(
    fc.property(cluster, cluster, (before, after) => {
      const plan = upgradePlan(new Map([['a', before]]), new Map([['a', after]]), () => undefined);
      expect(planText(plan)).toMatch(/^# Upgrade plan\n/);
      expect(JSON.stringify(plan)).toContain('"groups"');
    }),
    { numRuns: runs(60) },
  );
});
