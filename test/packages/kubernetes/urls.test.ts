import { checkAddress, checkHttpUrl } from '#kubernetes/urls';

describe('checkHttpUrl', () => {
  test.each([
    'http://prometheus.monitoring.svc.cluster.local:9090',
    'https://example.com/prometheus',
    'http://10.0.0.1:9090/',
    'http://[::1]:9090',
  ])('accepts %s', (url) => expect(checkHttpUrl('url', url)).toEqual([]));

  test.each(['prometheus:9090', 'ftp://a', 'http://', '//a', 'http:/a', 'http://a b', 'http://a:99999', ''])(
    'refuses %j',
    (url) =>
      expect(checkHttpUrl('url', url)).toMatchObject([
        { code: 'url-refused', parameters: { field: 'url', value: url } },
      ]),
  );

  test('proposes the scheme', () => {
    expect(checkHttpUrl('url', 'prometheus:9090')[0]?.fix).toContain('"http://prometheus:9090"');
    expect(checkHttpUrl('url', 'example.grafana.net', 'https')[0]?.fix).toContain('"https://example.grafana.net"');
  });

  test('refuses credentials, and does not repeat them', () => {
    const problems = checkHttpUrl('url', 'http://admin:hunter2@prometheus:9090');
    expect(problems).toMatchObject([
      { code: 'credentials-found', cause: 'url', parameters: { url: 'http://prometheus:9090/' } },
    ]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('refuses a token in the query, and does not repeat it', () => {
    const problems = checkHttpUrl('url', 'http://prometheus:9090/a?auth_token=hunter2');
    expect(problems).toMatchObject([{ parameters: { url: 'http://prometheus:9090/a' } }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });
});

describe('checkAddress', () => {
  test.each(['grafana.grafana', 'grafana.grafana.svc.cluster.local:3000', '10.0.0.1:80'])('accepts %s', (address) =>
    expect(checkAddress('url', address)).toEqual([]),
  );

  test.each(['http://grafana', 'grafana/path', 'grafana:port', 'a:1:2', 'a b', ''])('refuses %j', (address) =>
    expect(checkAddress('url', address)).toMatchObject([
      { code: 'address-refused', parameters: { field: 'url', value: address } },
    ]),
  );

  test('proposes the address without its scheme and path', () => {
    expect(checkAddress('url', 'https://grafana.grafana:3000/x')[0]?.fix).toContain('"grafana.grafana:3000"');
    expect(checkAddress('url', 'https://me:word@grafana.grafana:3000/x')[0]?.fix).toContain('"grafana.grafana:3000"');
  });

  test('refuses invalid hosts and ports', () => {
    expect(checkAddress('url', 'Grafana_1:70000')).toMatchObject([
      { code: 'name-invalid', parameters: { field: 'The host of url' } },
      { code: 'port-refused', parameters: { port: '70000' } },
    ]);
  });
});
