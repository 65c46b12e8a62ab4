import { join } from 'node:path';
import fc from 'fast-check';
import { mergeValues, valueAt } from '../../../../lib/kubernetes/values';
import { fingerprintOf, objectKey } from '../../../../tools/conformance/canonical';
import { readFingerprints, type VariantFingerprints } from '../../../../tools/conformance/fingerprint';
import { chartValues, containerOf, podOf, proxyEnv, renderControlPlane } from './fixture';

const FINGERPRINTS = join(__dirname, '../../../conformance/linkerd-control-plane-edge-26.8.3.jsonl');
const { base, variants } = readFingerprints(FINGERPRINTS);
/** Variants that change more than the configuration: what changes nothing alone may be switched on by others. */
const active = variants.filter(
  ({ refused, set = {} }) => !refused && Object.keys(set).some((key) => !key.endsWith('/linkerd-config')),
);

function changes(variant: VariantFingerprints, key: string): boolean {
  return variant.set?.[key] !== undefined || variant.gone?.includes(key) === true;
}

test('values that change different objects do not change what the other ones do', () => {
  const variant = fc.constantFrom(...active);
  fc.assert(
    fc.property(variant, variant, (one, other) => {
      const values = mergeValues(mergeValues(chartValues(base.baseValues), one.values), other.values);
      const rendered = renderControlPlane(values, { namespace: 'linkerd' });
      for (const object of rendered) {
        const key = objectKey(object);
        const ofBase = base.objects[key];
        if (ofBase === undefined || (changes(one, key) && changes(other, key))) continue;
        expect(`${key} ${fingerprintOf(object, 'edge-26.8.3')}`).toBe(
          `${key} ${one.set?.[key] ?? other.set?.[key] ?? ofBase}`,
        );
      }
    }),
    { numRuns: 150 },
  );
});

describe('values that work together', () => {
  test('the CNI plugin takes the place of the init container, the rest of it included', () => {
    const values = { cniEnabled: true, proxyInit: { closeWaitTimeoutSecs: 30, skipSubnets: '10.0.0.0/8' } };
    const { initContainers = [], volumes = [] } = podOf(values, 'destination').spec ?? {};
    expect(initContainers.map(({ name }) => name)).toEqual(['linkerd-network-validator', 'linkerd-proxy']);
    expect(volumes.map(({ name }) => name)).not.toContain('linkerd-proxy-init-xtables-lock');
  });

  test('the network validator has the resources of the proxy beside it', () => {
    const values = { cniEnabled: true, identityProxyResources: { memory: { limit: '64Mi' } } };
    expect(containerOf(values, 'identity', 'linkerd-network-validator').resources?.limits).toEqual({ memory: '64Mi' });
    expect(containerOf(values, 'destination', 'linkerd-network-validator').resources).toBeUndefined();
  });

  test('traces of proxies go on where only the token is the default one', () => {
    const collector = { endpoint: 'otel:4317', meshIdentity: { serviceAccountName: 'otel', namespace: 'tracing' } };
    const values = {
      identity: { serviceAccountTokenProjection: false },
      proxy: { tracing: { enabled: true, collector } },
    };
    const { volumeMounts = [] } = containerOf(values, 'destination', 'linkerd-proxy');
    expect(volumeMounts.map(({ name }) => name)).toEqual(['linkerd-identity-end-entity', 'linkerd-podinfo']);
  });

  test('controllers send traces where proxies do, unless told otherwise', () => {
    const collector = { endpoint: 'otel:4317', meshIdentity: { serviceAccountName: 'otel', namespace: 'tracing' } };
    const values = { controller: { tracing: { enabled: true } }, proxy: { tracing: { collector } } };
    expect(containerOf(values, 'identity', 'identity').args).toContain('-trace-collector=otel:4317');
    const own = mergeValues(values, { controller: { tracing: { collector: { endpoint: 'mine:4317' } } } });
    expect(containerOf(own, 'destination', 'destination').args).toContain('-trace-collector=mine:4317');
  });

  test('a trace argument is an argument, whatever else the container has', () => {
    const values = {
      controller: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } },
      destinationController: { additionalEnv: [{ name: 'A', value: 'b' }], additionalArgs: ['-x'] },
    };
    const { args, env } = containerOf(values, 'destination', 'destination');
    expect(args?.slice(-2)).toEqual(['-x', '-trace-collector=otel:4317']);
    expect(env).toEqual([{ name: 'A', value: 'b' }]);
  });

  test('both address families have the ports that values say', () => {
    const values = { disableIPv6: false, proxy: { ports: { outbound: 5140, admin: 5191 } } };
    expect(proxyEnv(values, 'identity', 'LINKERD2_PROXY_OUTBOUND_LISTEN_ADDRS')?.value).toBe(
      '127.0.0.1:5140,[::1]:5140',
    );
    expect(proxyEnv(values, 'identity', 'LINKERD2_PROXY_ADMIN_LISTEN_ADDR')?.value).toBe('[::]:5191');
  });

  test('the trust domain goes before the cluster domain', () => {
    const values = { clusterDomain: 'k8s.corp', identityTrustDomain: 'mesh.corp' };
    expect(proxyEnv(values, 'destination', '_l5d_trustdomain')?.value).toBe('mesh.corp');
    expect(proxyEnv(values, 'destination', 'LINKERD2_PROXY_DESTINATION_PROFILE_SUFFIXES')?.value).toBe('svc.k8s.corp.');
  });

  test('annotations of a component go before those of all pods, and what the pod needs before both', () => {
    const values = {
      podAnnotations: { who: 'all', 'config.linkerd.io/default-inbound-policy': 'deny' },
      destinationController: { podAnnotations: { who: 'destination' } },
    };
    expect(podOf(values, 'destination').metadata?.annotations).toMatchObject({
      who: 'destination',
      'config.linkerd.io/default-inbound-policy': 'all-unauthenticated',
    });
    expect(podOf(values, 'heartbeat').metadata?.annotations).toMatchObject({ who: 'all' });
  });
});

test('null removes what the chart has', () => {
  const { nodeSelector } = podOf({ nodeSelector: { 'kubernetes.io/os': null } }, 'identity').spec ?? {};
  expect(nodeSelector).toEqual({});
  expect(podOf({ nodeSelector: null }, 'identity').spec?.nodeSelector).toBeUndefined();
  const values = { proxy: { outboundConnectTimeout: null, logFormat: null } };
  expect(proxyEnv(values, 'identity', 'LINKERD2_PROXY_OUTBOUND_CONNECT_TIMEOUT')).toBeUndefined();
  expect(proxyEnv(values, 'identity', 'LINKERD2_PROXY_LOG_FORMAT')).toEqual({ name: 'LINKERD2_PROXY_LOG_FORMAT' });
  expect(valueAt(chartValues(values), 'proxy.logFormat')).toBeNull();
});
