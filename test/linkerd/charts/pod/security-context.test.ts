import { unprivileged } from '../../../../lib/linkerd/charts/pod/security-context';

test('a group below zero is left to the image', () => {
  expect(unprivileged(2103, -1)).not.toHaveProperty('runAsGroup');
  expect(unprivileged(2103, 0)).toMatchObject({ runAsUser: 2103, runAsGroup: 0 });
});
