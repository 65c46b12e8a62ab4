import type { Values } from '#base/values';
import { checkValues } from '#kubernetes/schemas/schema';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';

// The compiler checks the types: `@ts-expect-error` is an error if the next line has none. The assertions check that
// the schemas agree with the types.

describe('the types and schemas of the control plane’s values', () => {
  type Checked<V extends LinkerdVersion> = readonly [V, ControlPlaneValues<V>];
  const problems = ([version, values]: Checked<LinkerdVersion>) =>
    checkValues(releaseOf(version).charts.controlPlane, values as Values).map(({ about }) => about);

  test('have the image of the init container in releases with a separate image', () => {
    const announced: Checked<'2.19'> = ['2.19', { proxyInit: { image: { version: 'v1' } } }];
    const later: Checked<'edge-25.11.2'> = ['edge-25.11.2', announced[1]];
    expect([problems(announced), problems(later)]).toEqual([[], []]);
    // @ts-expect-error the init container uses the image of the proxy
    const none: Checked<'edge-25.11.3'> = ['edge-25.11.3', { proxyInit: { image: { version: 'v1' } } }];
    expect(problems(none)).toEqual(['values.proxyInit.image']);
  });

  test('have the timestamps of PodMonitors in releases that read them', () => {
    const podMonitor = { proxy: { honorTimestamps: true } };
    const announced: Checked<'2.20'> = ['2.20', { podMonitor }];
    const newest: Checked<'edge-26.8.3'> = ['edge-26.8.3', { podMonitor }];
    expect([problems(announced), problems(newest)]).toEqual([[], []]);
    // @ts-expect-error the chart does not read timestamps
    const none: Checked<'edge-26.5.1'> = ['edge-26.5.1', { podMonitor: { proxy: { honorTimestamps: true } } }];
    expect(problems(none)).toEqual(['values.podMonitor.proxy.honorTimestamps']);
  });
});
