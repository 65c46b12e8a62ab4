import {
  checkTempo,
  checkTraceLinks,
  jaegerUrlOf,
  openCensusValues,
  otlpValues,
  type TempoProps,
} from '#lib/constructs/tracing/tempo';

const tempo: TempoProps = { service: 'tempo-distributor', namespace: 'tracing', serviceAccount: 'tempo' };

test('Tempo has a port for each protocol', () => {
  const ports = { otlp: 14317, openCensus: 15678 };
  expect(otlpValues({ ...tempo, ports })).toMatchObject({
    controller: { tracing: { collector: { endpoint: 'tempo-distributor.tracing:14317' } } },
  });
  expect(openCensusValues({ ...tempo, ports })).toMatchObject({
    webhook: { collectorSvcAddr: 'tempo-distributor.tracing:15678' },
  });
});

test('the dashboard links to the query service of Tempo', () => {
  expect(jaegerUrlOf(tempo)).toBeUndefined();
  expect(jaegerUrlOf({ ...tempo, query: { service: 'tempo-query-frontend' } })).toBe(
    'tempo-query-frontend.tracing:16686',
  );
  expect(jaegerUrlOf({ ...tempo, query: { service: 'tempo', port: 80 } })).toBe('tempo.tracing:80');
});

describe('checkTempo', () => {
  test('accepts valid props', () => {
    expect(checkTempo({ ...tempo, ports: { otlp: 1, openCensus: 65535 }, query: { service: 'q', port: 80 } })).toEqual(
      [],
    );
  });

  test('reports every name and port', () => {
    const problems = checkTempo({
      service: 'tempo.tracing',
      namespace: 'Tracing',
      serviceAccount: 'tempo/sa',
      ports: { otlp: 0, openCensus: 65536 },
      query: { service: 'http://q', port: 1.5 },
    });
    const found = problems.map(({ code, parameters = {} }) => [code, 'field' in parameters && parameters.field]);
    expect(found).toEqual([
      ['name-invalid', 'tempo.service'],
      ['name-invalid', 'tempo.namespace'],
      ['name-invalid', 'tempo.serviceAccount'],
      ['name-invalid', 'tempo.query.service'],
      ['port-refused', 'tempo.ports.otlp'],
      ['port-refused', 'tempo.ports.openCensus'],
      ['port-refused', 'tempo.query.port'],
    ]);
  });
});

test('synth warns of a query service of Tempo without a dashboard', () => {
  const query = { service: 'tempo-query-frontend' };
  expect(checkTraceLinks(query, true)).toEqual([]);
  expect(checkTraceLinks(undefined, true)).toEqual([]);
  expect(checkTraceLinks(undefined, false)).toEqual([]);
  expect(checkTraceLinks(query, false)).toMatchObject([
    { code: 'trace-links-without-viz', parameters: { service: 'tempo-query-frontend' } },
  ]);
});
