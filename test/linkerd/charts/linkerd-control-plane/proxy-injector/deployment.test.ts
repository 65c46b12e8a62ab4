import type { Values } from '../../../../../lib/kubernetes/values';
import { podOf } from '../fixture';

const checksum = (values: Values, component = 'proxy-injector') =>
  podOf(values, component).metadata?.annotations?.['checksum/config'];

test('the injector restarts when what it gives to proxies changes', () => {
  expect(checksum({})).toMatch(/^[0-9a-f]{64}$/);
  expect(checksum({ proxy: { waitBeforeExitSeconds: 5 } })).not.toBe(checksum({}));
});

test('other pods have no configuration to restart for', () => {
  expect(checksum({}, 'destination')).toBeUndefined();
  expect(checksum({}, 'identity')).toBeUndefined();
});

test("the injector's annotations are identity's, as in the chart", () => {
  const values = {
    identity: { podAnnotations: { who: 'identity' } },
    proxyInjector: { podAnnotations: { who: 'me' } },
  };
  expect(podOf(values, 'proxy-injector').metadata?.annotations?.who).toBe('identity');
});
