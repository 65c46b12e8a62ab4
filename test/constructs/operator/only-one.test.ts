import { Cron, Testing } from 'cdk8s';
import { CertRotationCronJob, LinkerdConfig, LinkerdControlPlane, ReconcilerOperator } from '#lib';
import { addPki } from '../../support/control-plane-fixture';
import { ruleFindingsIn, validate } from '../../support/findings';
import { addControlPlane, build, buildOperator } from './fixture';

describe('a second operator', () => {
  const SECOND = { code: 'second-operator', parameters: { first: 'home/operator' } };

  test.each([undefined, 'other'])('with namespace: %j is one problem', (namespace) => {
    const { errors } = buildOperator({}, {}, ({ controlPlane }, cluster) => {
      new ReconcilerOperator(cluster, 'second', { controlPlane, namespace });
    });
    expect(errors).toMatchObject([SECOND]);
  });

  test('is one problem in a plain chart as well', () => {
    const chart = Testing.chart();
    const controlPlane = new LinkerdControlPlane(chart, 'linkerd', addPki(chart));
    const [first, second] = ['first', 'second'].map((id) => new ReconcilerOperator(chart, id, { controlPlane }));
    expect(first && validate(first)).toEqual([]);
    expect(second === undefined ? [] : ruleFindingsIn(second)).toMatchObject([
      { code: 'second-operator', parameters: { first: 'test/first' } },
    ]);
  });

  test('in another chart is accepted, because the chart may be for another cluster', () => {
    for (const chart of [Testing.chart(), Testing.chart()]) {
      const controlPlane = new LinkerdControlPlane(chart, 'linkerd', addPki(chart));
      const operator = new ReconcilerOperator(chart, 'operator', { controlPlane });
      expect(validate(operator)).toEqual([]);
    }
  });
});

describe('a second LinkerdConfig', () => {
  const SECOND = { code: 'second-operator', parameters: { first: 'home/first' } };

  test.each([undefined, 'other'])('with name: %j is one problem', (name) => {
    const { errors } = buildOperator({}, {}, (operator, cluster) => {
      new LinkerdConfig(cluster, 'first', { operator });
      new LinkerdConfig(cluster, 'second', { operator, name });
    });
    expect(errors).toMatchObject([SECOND]);
  });

  test('has its values checked nevertheless', () => {
    const { errors } = buildOperator({}, {}, (operator, cluster) => {
      new LinkerdConfig(cluster, 'first', { operator });
      new LinkerdConfig(cluster, 'second', { operator, values: { clusterDomain: 'example.org' } });
    });
    expect(errors).toMatchObject([{ code: 'value-set-elsewhere', parameters: { path: 'clusterDomain' } }, SECOND]);
  });
});

test.each([undefined, 'other'])('a second rotation with name: %j is one problem', (name) => {
  const { errors } = build((cluster) => {
    const controlPlane = addControlPlane(cluster);
    new CertRotationCronJob(cluster, 'first', { controlPlane });
    new CertRotationCronJob(cluster, 'second', { controlPlane, name, schedule: Cron.schedule({ minute: '0' }) });
  });
  expect(errors).toMatchObject([{ code: 'second-rotation', parameters: { first: 'home/first' } }]);
});
