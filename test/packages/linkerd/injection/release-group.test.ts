import { releaseGroup } from '#linkerd/injection/release-group';

test.each([
  ['edge-26.8.3', 'edge-26.8.3'],
  ['edge-26.5.2', 'edge-26.8.3'],
  ['edge-26.5.1', 'edge-26.5.1'],
  ['edge-26.4.10', 'edge-26.5.1'],
  ['edge-25.12.1', 'edge-26.5.1'],
  ['edge-25.11.3', 'edge-26.5.1'],
  ['edge-25.11.2', 'edge-25.11.2'],
  ['edge-25.10.7', 'edge-25.11.2'],
  ['stable-2.14.10', 'stable-2.14.10'],
  ['stable-2.13.7', 'stable-2.14.10'],
  ['stable-2.14.10-fips', 'stable-2.14.10'],
  ['edge-25.11.2-acme.1', 'edge-25.11.2'],
  ['edge-26.8.3-fips', 'edge-26.8.3'],
])('%s belongs to the release group of %s', (release, group) => expect(releaseGroup(release)).toBe(group));

test.each(['edge-26.9.1', 'edge-30.1.1', 'stable-2.20.0', 'enterprise-2.19.1', 'dev-12ab', '', 26, null, undefined])(
  '%j belongs to the newest release group',
  (release) => expect(releaseGroup(release)).toBe('edge-26.8.3'),
);

test.each([
  ['edge-23.11.4', 'edge-24.2.4'],
  ['edge-24.2.4', 'edge-24.2.4'],
  ['edge-24.8.1', 'edge-24.2.4'],
  ['edge-24.8.2', 'edge-24.11.8'],
  ['edge-24.11.8', 'edge-24.11.8'],
  ['edge-25.4.3', 'edge-24.11.8'],
  ['edge-25.4.4', 'edge-25.4.4'],
  ['edge-25.10.6', 'edge-25.4.4'],
])('%s, between 2.14 and 2.19, belongs to the release group of %s', (release, group) => {
  expect(releaseGroup(release)).toBe(group);
});
