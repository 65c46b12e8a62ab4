import { join } from 'node:path';
import fc from 'fast-check';
import { mergeValues } from '../../../../lib/kubernetes/values';
import { fingerprintOf, objectKey } from '../../../../tools/conformance/canonical';
import { readFingerprints, type VariantFingerprints } from '../../../../tools/conformance/fingerprint';
import { chartValues, containerOf, podOf, renderViz } from './fixture';

const FINGERPRINTS = join(__dirname, '../../../conformance/linkerd-viz-edge-26.8.3.jsonl');
const { base, variants } = readFingerprints(FINGERPRINTS);
/** Variants that change something: what changes nothing alone may be switched on by others. */
const active = variants.filter(
  ({ refused, set = {}, gone = [] }) => !refused && Object.keys(set).length + gone.length > 0,
);

function changes(variant: VariantFingerprints, key: string): boolean {
  return variant.set?.[key] !== undefined || variant.gone?.includes(key) === true;
}

test('values that change different objects do not change what the other ones do', () => {
  const variant = fc.constantFrom(...active);
  fc.assert(
    fc.property(variant, variant, (one, other) => {
      const values = mergeValues(mergeValues(chartValues(base.baseValues), one.values), other.values);
      for (const object of renderViz(values, { namespace: 'linkerd-viz' })) {
        const key = objectKey(object);
        const ofBase = base.objects[key];
        if (ofBase === undefined || (changes(one, key) && changes(other, key))) continue;
        const expected = one.set?.[key] ?? other.set?.[key] ?? ofBase;
        expect(`${key} ${fingerprintOf(object, 'edge-26.8.3')}`).toBe(`${key} ${expected}`);
      }
    }),
    { numRuns: 150 },
  );
});

describe('values that work together', () => {
  test("a node's labels and replicas apart are one affinity", () => {
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } };
    for (const component of ['metrics-api', 'tap', 'tap-injector', 'web']) {
      const { affinity } = podOf({ enablePodAntiAffinity: true, nodeAffinity }, component).spec ?? {};
      expect(Object.keys(affinity ?? {}).sort()).toEqual(['nodeAffinity', 'podAntiAffinity']);
    }
    expect(podOf({ enablePodAntiAffinity: true, nodeAffinity }, 'prometheus').spec?.affinity).toBeUndefined();
  });

  test("a component's own image, log and user come before those of all", () => {
    const values = {
      defaultRegistry: 'all.example.com',
      defaultLogLevel: 'warn',
      defaultUID: 5000,
      tap: { image: { registry: 'tap.example.com', tag: 'v1' }, logLevel: 'debug', UID: 7 },
    };
    const [tap, web] = [containerOf(values, 'tap'), containerOf(values, 'web')];
    expect([tap.image, web.image]).toEqual(['tap.example.com/tap:v1', 'all.example.com/web:edge-26.8.3']);
    expect([tap.args?.[2], web.args?.[3]]).toEqual(['-log-level=debug', '-log-level=warn']);
    expect([tap, web].map(({ securityContext }) => securityContext?.runAsUser)).toEqual([7, 5000]);
  });

  test('an external Prometheus with credentials is asked where an own one runs, too', () => {
    const args = containerOf({ prometheusUrl: 'http://p:9090', prometheusCredsSecret: 'c' }, 'metrics-api').args ?? [];
    expect(args.filter((argument) => argument.startsWith('-prometheus'))).toEqual([
      '-prometheus-url=http://p:9090',
      '-prometheus-user-file=/var/prometheus/user',
      '-prometheus-password-file=/var/prometheus/password',
    ]);
  });

  test('rules, a sidecar and a volume are beside each other in Prometheus', () => {
    const values = {
      prometheus: {
        persistence: { accessMode: 'ReadWriteOnce', size: 10 },
        ruleConfigMapMounts: [{ name: 'rules', configMap: 'my-rules', subPath: 'my_rules.yml' }],
        sidecarContainers: [{ name: 'shipper', image: 'shipper:1' }],
      },
    };
    const { containers = [], volumes = [] } = podOf(values, 'prometheus').spec ?? {};
    expect(containers.map(({ name }) => name)).toEqual(['shipper', 'prometheus']);
    expect(volumes.map(({ name }) => name)).toEqual(['rules', 'data', 'prometheus-config', 'kube-api-access']);
  });
});
