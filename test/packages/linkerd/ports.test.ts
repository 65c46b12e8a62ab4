import * as fc from 'fast-check';
import { checkPorts, includesPort, type Ports, portsText } from '#linkerd/ports';
import { facts } from '../../support/findings';

test('portsText keeps the order of ports and ranges', () =>
  expect(portsText([443, '4000-4100', 25])).toBe('443,4000-4100,25'));

test('portsText writes an empty list as an empty string', () => expect(portsText([])).toBe(''));

test('checkPorts accepts whole numbers from 1 to 65535, and ranges of these', () =>
  expect(checkPorts('opaquePorts', [1, 65535, '1-65535', '80-80'])).toEqual([]));

test.each([
  [0, { finding: 'port-refused/number', field: 'opaquePorts[0]', port: '0' }],
  [65536, { finding: 'port-refused/number', port: '65536' }],
  [80.5, { finding: 'port-refused/number', field: 'opaquePorts[0]', port: '80.5' }],
  ['0-80', { finding: 'port-refused/number', field: 'The start of opaquePorts[0]', port: '0' }],
  ['80-65536', { finding: 'port-refused/number', field: 'The end of opaquePorts[0]', port: '65536' }],
  ['4100-4000', { finding: 'port-refused/range', field: 'opaquePorts[0]', text: '4100-4000' }],
  ['-1-5' as Ports[number], { finding: 'port-refused/range', field: 'opaquePorts[0]', text: '-1-5' }],
] as const)('checkPorts refuses %s', (port, what) =>
  expect(checkPorts('opaquePorts', [port]).map(facts)).toMatchObject([what]),
);

test('checkPorts proposes to swap the ends of a reversed range', () =>
  expect(checkPorts('opaquePorts', ['9-5'])).toMatchObject([{ parameters: { example: '5-9' } }]));

test('includesPort is true for ports from the first to the last of a range, and false for all others', () => {
  void fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.nat(100), (a, b, port) => {
      return includesPort([`${a}-${b}`], port) === (a <= port && port <= b);
    }),
  );
});
