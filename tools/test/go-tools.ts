import { setPriority } from 'node:os';
import { PROGRAMS } from '#test/support/cluster/flags';
import { GO_TOOLS, goTool } from '#test/support/go-tools';
import { PATIENCE } from './children';

// Most suites wait for a control plane, and compute little once they have one: the other tools are built meanwhile.
PROGRAMS.forEach(goTool);
setPriority(PATIENCE);
GO_TOOLS.forEach(goTool);
