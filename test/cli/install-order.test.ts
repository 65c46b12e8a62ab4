import fc from 'fast-check';
import { inInstallOrder } from '#lib/cli/render-chart';

const object = (kind: string, name: string, namespace?: string, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
});

test('inInstallOrder sorts kinds as Helm installs them, and unknown kinds last', () => {
  const kinds = ['MutatingWebhookConfiguration', 'Deployment', 'Widget', 'CronJob', 'Service', 'Namespace', 'Role'];
  const ordered = ['Namespace', 'Role', 'Service', 'Deployment', 'CronJob', 'MutatingWebhookConfiguration', 'Widget'];
  expect(inInstallOrder(kinds.map((kind) => object(kind, 'a'))).map(({ kind }) => kind)).toEqual(ordered);
});

test('inInstallOrder sorts objects of one kind by namespace and name', () => {
  const services = [object('Service', 'b', 'x'), object('Service', 'a', 'y'), object('Service', 'a', 'x')];
  expect(inInstallOrder(services)).toEqual([services[2], services[0], services[1]]);
});

test('inInstallOrder does not depend on the order of its input', () => {
  const objects = ['Role', 'Service', 'Widget'].flatMap((kind) =>
    ['a', 'b'].flatMap((name) => [object(kind, name, 'x'), object(kind, name, 'y'), object(kind, name, 'x', 'v2')]),
  );
  fc.assert(
    fc.property(fc.shuffledSubarray(objects, { minLength: objects.length }), (shuffled) => {
      expect(inInstallOrder(shuffled)).toEqual(inInstallOrder(objects));
    }),
  );
});
