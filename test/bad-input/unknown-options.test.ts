import { Prometheus, Viz } from '../../lib';
import { type Build, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

function viz(props: object): Build {
  return (cluster) => {
    const { controlPlane } = mesh(cluster);
    new Viz(cluster, 'viz', { controlPlane, prometheus: Prometheus.embedded(), ...props } as never);
  };
}

test.each<[what: string, build: Build, path: string, fix: string]>([
  ['a prop', viz({ highAvailabilty: true }), 'home/viz', 'write highAvailability'],
  [
    'resources as Kubernetes has them',
    viz({ prometheus: Prometheus.embedded({ resources: { requests: { cpu: '1' } } } as never) }),
    'home/viz',
    "write cpu: { request: '100m' }, memory: { request: '250Mi' }",
  ],
])('a misspelt option is refused: %s', (_, build, path, fix) => {
  const findings = refused(build);
  expect(findings).toEqual([{ path, message: expect.stringContaining(`is not a known option. It has no effect`) }]);
  expect(findings[0]?.message).toContain(fix);
});

test('a missing part is a finding of its construct', () => {
  expect(refused((cluster) => new Viz(cluster, 'viz', { contolPlane: {} } as never))).toEqual([
    { path: 'home/viz', message: expect.stringMatching(/^controlPlane is undefined, not a LinkerdControlPlane\./) },
    { path: 'home/viz', message: expect.stringMatching(/Fix: write controlPlane\.$/) },
  ]);
});
