import { checkSubnets } from '../../../../operator/api/proxy-values/subnets';

test('CIDR blocks of both families are fine', () =>
  expect(
    checkSubnets('skipSubnets', ['10.0.0.0/8', '0.0.0.0/0', '192.168.1.7/32', 'fd00::/8', '::/0', '::1/128']),
  ).toEqual([]));

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0/8',
  'fd00::/129',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '/8',
  'localhost/8',
  '10.0.0.0/8/8',
])('%s is a problem', (subnet) =>
  expect(checkSubnets('skipSubnets', ['10.0.0.0/8', subnet])).toEqual([
    expect.objectContaining({ what: `skipSubnets[1] is "${subnet}"` }),
  ]),
);
