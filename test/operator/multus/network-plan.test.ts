import type { CniConfig } from '#operator/src/multus/cni-config';
import { type ObservedNamespace, type ObservedNetwork, planNetwork } from '#operator/src/multus/network-plan';

const MESH = { linkerdNamespace: 'linkerd', cniNamespace: 'linkerd-cni' };
const WANTED = '{"a":1,"b":2}';
const CNI: CniConfig = { config: WANTED };
const MISSING: CniConfig = { problem: 'not installed' };

const OURS: ObservedNetwork = { isOurs: true, isTerminating: false, config: WANTED };
const STALE: ObservedNetwork = { ...OURS, config: '{"a":2}' };
const FOREIGN: ObservedNetwork = { ...OURS, isOurs: false, config: '{ "b": 2, "a": 1 }' };
const OTHER: ObservedNetwork = { ...FOREIGN, config: 'x' };
const EMITTED: ObservedNetwork = { ...FOREIGN, isEmitted: true };
const GOING: ObservedNetwork = { ...OURS, isTerminating: true };

const ATTACHED = { name: 'shop', multus: 'enabled', isTerminating: false };
const CONTROL_PLANE = { name: 'linkerd', isTerminating: false };
const DETACHED = { name: 'shop', isTerminating: false };

const create = { action: 'create', config: WANTED };
const update = { action: 'update', config: WANTED };
const none = { action: 'none' };
const remove = { action: 'delete' };
const leave = { action: 'leave' };
const wait = { action: 'wait', why: 'not installed' };

interface Case {
  readonly when: string;
  readonly namespace: Omit<ObservedNamespace, 'network'>;
  readonly network?: ObservedNetwork;
  readonly cni?: CniConfig;
  readonly plan: object;
}

test.each<Case>([
  { when: 'attached, without a network', namespace: ATTACHED, plan: create },
  { when: 'attached, up to date', namespace: ATTACHED, network: OURS, plan: none },
  { when: 'attached, outdated network', namespace: ATTACHED, network: STALE, plan: update },
  { when: 'attached, equal network of another client', namespace: ATTACHED, network: FOREIGN, plan: none },
  { when: 'attached, different network of another client', namespace: ATTACHED, network: OTHER, plan: leave },
  { when: 'attached, no CNI configuration', namespace: ATTACHED, cni: MISSING, plan: wait },
  { when: 'attached, CNI configuration removed', namespace: ATTACHED, network: STALE, cni: MISSING, plan: none },
  { when: 'attached, terminating', namespace: { ...ATTACHED, isTerminating: true }, plan: none },
  { when: 'detached, network of the operator', namespace: DETACHED, network: OURS, plan: remove },
  { when: 'control plane, network from Git', namespace: CONTROL_PLANE, network: EMITTED, plan: none },
  { when: 'detached, network from Git', namespace: DETACHED, network: EMITTED, plan: remove },
  { when: 'detached, network being deleted', namespace: DETACHED, network: GOING, plan: none },
  { when: 'kube-system', namespace: { ...ATTACHED, name: 'kube-system' }, plan: none },
  { when: "the plugin's namespace", namespace: { ...ATTACHED, name: 'linkerd-cni' }, plan: none },
])('the plan for the network of a namespace ($when): $plan.action', ({ namespace, network, cni = CNI, plan }) => {
  expect(planNetwork({ ...namespace, network }, cni, MESH)).toEqual(plan);
});

test('a control plane in the namespace of the CNI plugin gets a network', () => {
  const mesh = { linkerdNamespace: 'linkerd', cniNamespace: 'linkerd' };
  expect(planNetwork(CONTROL_PLANE, CNI, mesh)).toEqual(create);
});
