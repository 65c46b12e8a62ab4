import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import {
  addLateChildren,
  constructsSoFar,
  setLateChildren,
  unaskedObjects,
} from '../../../lib/gitops/tree/late-children';

function late() {
  const chart = new Chart(new App(), 'chart');
  const around = new Construct(chart, 'around');
  const construct = new Construct(around, 'late');
  const make = jest.fn(() => {
    for (const id of ['a', 'b']) new ApiObject(construct, id, { apiVersion: 'v1', kind: 'ConfigMap' });
  });
  addLateChildren(construct, make);
  return { chart, around, construct, make };
}

const ids = (constructs: readonly { readonly node: { readonly id: string } }[]) =>
  constructs.map(({ node }) => node.id);

test.each([
  ['children', (construct: Construct) => expect(ids(construct.node.children)).toEqual(['a', 'b'])],
  ['findAll', (construct: Construct) => expect(ids(construct.node.findAll())).toEqual(['late', 'a', 'b'])],
  ['tryFindChild', (construct: Construct) => expect(construct.node.tryFindChild('b')?.node.id).toBe('b')],
  ['findChild', (construct: Construct) => expect(construct.node.findChild('b').node.id).toBe('b')],
  ['tryRemoveChild', (construct: Construct) => expect(construct.node.tryRemoveChild('b')).toBe(true)],
  ['defaultChild', (construct: Construct) => expect(construct.node.defaultChild).toBeUndefined()],
])('late children are made when %s asks for them, once', (_, ask) => {
  const { construct, make } = late();
  expect(make).not.toHaveBeenCalled();
  ask(construct);
  expect(make).toHaveBeenCalledTimes(1);
  construct.node.findAll();
  expect(make).toHaveBeenCalledTimes(1);
});

test('whoever walks the tree finds them', () => {
  const { chart } = late();
  expect(chart.toJson()).toHaveLength(2);
});

test('whoever looks around while constructs are made does not', () => {
  const { chart, make } = late();
  expect(ids(constructsSoFar(chart))).toEqual(['chart', 'around', 'late']);
  expect(make).not.toHaveBeenCalled();
});

test('others may add children, before and after', () => {
  const { construct } = late();
  new Construct(construct, 'before');
  construct.node.findAll();
  new Construct(construct, 'after');
  expect(ids(construct.node.children)).toEqual(['before', 'a', 'b', 'after']);
});

test('they are made of a tree that is locked, to which nobody else adds', () => {
  const { chart, construct } = late();
  chart.node.lock();
  expect(ids(construct.node.findAll())).toEqual(['late', 'a', 'b']);
  expect(() => new Construct(construct, 'after')).toThrow(/Cannot add children/);
});

describe('objects that stand for children', () => {
  const OBJECTS = [
    { id: 'a', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } } },
  ];

  function known() {
    const construct = new Construct(new Chart(new App(), 'chart'), 'late');
    const complete = jest.fn(() => {
      if (complete.mock.calls.length === 1) new Construct(construct, 'a');
    });
    setLateChildren(construct, { complete, objects: () => OBJECTS });
    return { construct, complete };
  }

  test('are known without making these', () => {
    const { construct, complete } = known();
    expect(unaskedObjects(construct)).toBe(OBJECTS);
    expect(complete).not.toHaveBeenCalled();
  });

  test.each([
    ['asked for one', (construct: Construct) => void construct.node.tryFindChild('a')],
    ['added another', (construct: Construct) => void new Construct(construct, 'b')],
  ])('do so no longer when somebody has %s', (_, look) => {
    const { construct } = known();
    look(construct);
    expect(unaskedObjects(construct)).toBeUndefined();
  });

  test('are not known of others', () => {
    expect(unaskedObjects(late().construct)).toBeUndefined();
    expect(unaskedObjects(late().chart)).toBeUndefined();
  });
});
