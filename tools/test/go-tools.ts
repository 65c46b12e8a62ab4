import { setPriority } from 'node:os';
import { PROGRAMS } from '#test/support/cluster/flags';
import { GO_TOOLS, goTool } from '#test/support/go-tools';

// Most suites wait for a control plane, and compute little once they have one: the other tools are built meanwhile.
PROGRAMS.forEach(goTool);
setPriority(19);
GO_TOOLS.forEach(goTool);
