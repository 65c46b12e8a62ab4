import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricIn, readMetric } from '#operator/src/anchor/observe/issuer-ends';

const PAGE =
  '# HELP issuer_cert_ttl_seconds x\n# TYPE issuer_cert_ttl_seconds gauge\nissuer_cert_ttl_seconds 8.6e+04\n';

test('the reader of metrics finds a number by the name of its metric', () => {
  expect(metricIn(PAGE, 'issuer_cert_ttl_seconds')).toBe(86_000);
  expect(metricIn('a{b="c"} 1\n', 'a')).toBe(1);
  expect(metricIn('ab 1\n', 'a')).toBeUndefined();
  expect(metricIn('a NaN\n', 'a')).toBeUndefined();
});

describe('the reader of metrics', () => {
  let server: Server;
  let answer: (end: (code: number, text: string) => void) => void;
  beforeAll(async () => {
    server = createServer((_, response) => answer((code, text) => response.writeHead(code).end(text)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());
  const read = () => {
    const { port } = server.address() as AddressInfo;
    return readMetric({ host: '127.0.0.1', port }, 'issuer_cert_ttl_seconds', new AbortController().signal);
  };

  test('reads a page', async () => {
    answer = (end) => end(200, PAGE);
    expect(await read()).toBe(86_000);
  });

  test.each([
    ['with status 403', 403, PAGE],
    ['that is too long', 200, `${'x'.repeat(2 ** 20)}\n${PAGE}`],
    ['without the metric', 200, 'hello'],
  ])('finds no number in a page %s', async (_, code, text) => {
    answer = (end) => end(code, text);
    expect(await read()).toBeUndefined();
  });

  test('finds no number if the page never arrives', async () => {
    answer = () => undefined;
    expect(await read()).toBeUndefined();
  });
});
