import { prometheusArguments } from '#linkerd/renderers/linkerd-viz/prometheus/prometheus';
import { viewOf } from '../fixture';

const args = (prometheus: Parameters<typeof viewOf>[0]) => prometheusArguments(viewOf({ prometheus }));

test('prometheusArguments lists log options first, and then the other options by name', () => {
  expect(args({ args: { 'web.enable-lifecycle': true, 'a.b': 0 } })).toEqual([
    '--log.level=info',
    '--log.format=logfmt',
    '--a.b',
    '--config.file=/etc/prometheus/prometheus.yml',
    '--storage.tsdb.path=/data',
    '--storage.tsdb.retention.time=6h',
    '--web.enable-lifecycle=true',
  ]);
});

test('prometheusArguments prefers log options in args to logLevel and logFormat', () => {
  const given = args({ args: { 'log.level': 'debug', 'log.format': 'json' }, logLevel: 'error', logFormat: 'plain' });
  expect(given.filter((argument) => argument.startsWith('--log'))).toEqual(['--log.format=json', '--log.level=debug']);
});

test('prometheusArguments writes large numbers without an exponent', () => {
  expect(args({ args: { 'query.max-samples': 50_000_000 } })).toContain('--query.max-samples=50000000');
});

test('prometheusArguments omits an option that is null', () => {
  expect(args({ args: { 'storage.tsdb.retention.time': null } })).not.toContain('--storage.tsdb.retention.time');
});
