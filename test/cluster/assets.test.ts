import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProgram, PROGRAMS, programPath } from '../support/cluster/assets';
import { GO_TOOL_NAMES, goTool } from '../support/go-tools';

const given = process.env.KUBEBUILDER_ASSETS;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assets-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (given === undefined) delete process.env.KUBEBUILDER_ASSETS;
  else process.env.KUBEBUILDER_ASSETS = given;
});

it('prefers what KUBEBUILDER_ASSETS has, program by program', () => {
  writeFileSync(join(folder, 'etcd'), '');
  process.env.KUBEBUILDER_ASSETS = folder;
  expect(programPath('etcd')).toBe(join(folder, 'etcd'));
  expect(programPath('kube-scheduler')).toBe(goTool('kube-scheduler'));
});

it.each([undefined, ''])('takes its own where KUBEBUILDER_ASSETS is %p', (value) => {
  if (value === undefined) delete process.env.KUBEBUILDER_ASSETS;
  else process.env.KUBEBUILDER_ASSETS = value;
  expect(programPath('etcd')).toBe(goTool('etcd'));
});

it('tells the programs from the other tools', () => {
  expect(GO_TOOL_NAMES.filter(isProgram)).toEqual([...PROGRAMS]);
});
