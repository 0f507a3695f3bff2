/** Runs `index` and `doctor`. */
import { diagnose } from "../../index/diagnose.ts";
import type { IndexService } from "../../index/service.ts";
import { indexStatus } from "../../index/status.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { requireRoots } from "../../session/store.ts";
import { withService } from "../inlineEngine.ts";
import { visible } from "../visible.ts";
import { printJson, type Run } from "./context.ts";
import type { DoctorCommand, IndexCommand } from "./flags.ts";
import { advice, statusLines } from "./indexStatus.ts";
import { ProgressBar } from "./progress.ts";
import type { CliStore } from "./store.ts";
import { styled } from "./terminal.ts";

export async function runIndex(command: IndexCommand, { cli, store, note }: Run): Promise<boolean> {
  const { request, use } = requireIndex(store);
  const bar = new ProgressBar(cli.err);
  const status = await use(async (service) => {
    if (command.rebuild) await service.rebuild();
    if (!command.status) {
      const result = await service.sync({ ...request, onProgress: bar.show }).finally(() => bar.clear());
      if (result.warning?.kind === "sync-failed")
        throw new Error(`the index cannot be written: ${result.warning.error}`);
      (await service.index()).emptyLongLog(); // which would count as size
    }
    return indexStatus(await service.index(), request);
  });
  if (command.json) printJson(status, cli);
  else for (const line of statusLines(status)) cli.out.write(`${visible(line)}\n`);
  if (!command.json && status.backlogFiles > 0) note("pi-retrospect index brings the index up to date");
  return status.sessions === 0;
}

export async function runDoctor(command: DoctorCommand, { cli, store }: Run): Promise<boolean> {
  const { request, use } = requireIndex(store);
  const diagnosis = await use(async (service) => diagnose(await service.index(), request));
  if (command.json) {
    printJson(diagnosis, cli);
    return false;
  }
  for (const line of statusLines(diagnosis.status)) cli.out.write(`${visible(line)}\n`);
  const { checkedFiles, differingFiles, integrity } = diagnosis;
  cli.out.write(
    `checked   ${checkedFiles} files against the index, ${differingFiles.length} differ; database ${integrity}\n`,
  );
  const problems = [
    ...advice(diagnosis.status),
    ...(integrity === "ok" ? [] : ["the database is damaged. Run: pi-retrospect index --rebuild"]),
    ...differingFiles.map(
      (file) =>
        `${file} was changed far back and then appended to, which no sync can see. Run: pi-retrospect index --rebuild`,
    ),
  ];
  if (problems.length === 0) cli.out.write("all is well\n");
  for (const problem of problems)
    cli.out.write(`${styled(cli.out, "yellow", "problem:")} ${visible(problem)}\n`);
  return false;
}

function requireIndex({ indexPath, excludePrefixes, signal, ...store }: CliStore) {
  if (indexPath === undefined) {
    throw new ParameterError("--root names a store without an index of its own; name one with --index FILE");
  }
  const request = { roots: requireRoots(store), excludePrefixes, signal };
  return { request, use: <T>(work: (service: IndexService) => Promise<T>) => withService(indexPath, work) };
}
