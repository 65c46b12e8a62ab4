import fc from 'fast-check';
import { inInstallOrder } from '#lib/cli/render-chart';

const object = (kind: string, name: string, namespace?: string, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
});

test('kinds come in the order in which Helm installs them, kinds that it does not know last', () => {
  const kinds = ['MutatingWebhookConfiguration', 'Deployment', 'Widget', 'CronJob', 'Service', 'Namespace', 'Role'];
  const ordered = ['Namespace', 'Role', 'Service', 'Deployment', 'CronJob', 'MutatingWebhookConfiguration', 'Widget'];
  expect(inInstallOrder(kinds.map((kind) => object(kind, 'a'))).map(({ kind }) => kind)).toEqual(ordered);
});

test('one kind is in the order of namespaces and names', () => {
  const services = [object('Service', 'b', 'x'), object('Service', 'a', 'y'), object('Service', 'a', 'x')];
  expect(inInstallOrder(services)).toEqual([services[2], services[0], services[1]]);
});

test('does not depend on the order in which objects were made', () => {
  const objects = ['Role', 'Service', 'Widget'].flatMap((kind) =>
    ['a', 'b'].flatMap((name) => [object(kind, name, 'x'), object(kind, name, 'y'), object(kind, name, 'x', 'v2')]),
  );
  fc.assert(
    fc.property(fc.shuffledSubarray(objects, { minLength: objects.length }), (shuffled) => {
      expect(inInstallOrder(shuffled)).toEqual(inInstallOrder(objects));
    }),
  );
});
