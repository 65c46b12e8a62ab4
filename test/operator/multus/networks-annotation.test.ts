import { withLinkerdNetwork } from '#operator/src/multus/mutate-pod';

test.each<[string, string | undefined, string]>([
  ['a missing annotation', undefined, 'linkerd-cni'],
  ['an empty annotation', '', 'linkerd-cni'],
  ['a blank annotation', '  ', 'linkerd-cni'],
  ['one network', 'storage', 'storage,linkerd-cni'],
  ['several networks, in their order', 'b, ns/a@net1 ,c', 'b,ns/a@net1,c,linkerd-cni'],
  ['a network with a trailing comma', 'storage,', 'storage,linkerd-cni'],
  ['the network of another namespace', 'other/linkerd-cni', 'other/linkerd-cni,linkerd-cni'],
  ['networks with similar names', 'linkerd-cni-2,my-linkerd-cni', 'linkerd-cni-2,my-linkerd-cni,linkerd-cni'],
  [
    'a JSON list',
    '[{"name":"b"},{"name":"a","interface":"net1"}]',
    '[{"name":"b"},{"name":"a","interface":"net1"},{"name":"linkerd-cni"}]',
  ],
  ['an empty JSON list', '[]', '[{"name":"linkerd-cni"}]'],
  [
    'a JSON list with the network of another namespace',
    '[{"name":"linkerd-cni","namespace":"other"}]',
    '[{"name":"linkerd-cni","namespace":"other"},{"name":"linkerd-cni"}]',
  ],
])('the webhook appends linkerd-cni to %s', (_case, networks, expected) => {
  expect(withLinkerdNetwork(networks, 'shop')).toEqual({ networks: expected });
});

test.each([
  'linkerd-cni',
  'storage, linkerd-cni ,b',
  'linkerd-cni@eth1',
  'shop/linkerd-cni',
  'shop/linkerd-cni@eth1',
  '[{"name":"linkerd-cni"}]',
  '[ {"name":"linkerd-cni", "namespace":"shop"} ]',
  '[{"name":"linkerd-cni","namespace":"","interface":"eth1"}]',
])('the webhook keeps networks byte for byte: %s', (networks) => {
  expect(withLinkerdNetwork(networks, 'shop')).toEqual({ networks });
});

test.each(['[{"name":"a"}', '{"name":"a"}', '["a"]', '[null]', '[[]]', '"a"', 'a,[b]'])(
  'the webhook cannot append to invalid networks: %s',
  (networks) => {
    expect(withLinkerdNetwork(networks, 'shop')).toEqual({
      problem: 'is neither a comma-separated list of networks nor a JSON list of objects',
    });
  },
);
