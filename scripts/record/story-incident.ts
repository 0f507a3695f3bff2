/** Harbor loses events to ECONNREFUSED; release notes; a status page: image, tool errors, shell, retry. */
import { bash, call, read, type Stage } from "./stage.ts";

/** 8 x 8 pixels of one red: the dashboard tile of the partner. */
const DASHBOARD_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4oaGBFTEMLQkAgl1GAWqNFmsAAAAASUVORK5CYII=";

export async function incident(stage: Stage): Promise<void> {
  const pi = await stage.open({
    cwd: stage.workspace.harbor,
    script: {
      answers: [
        {
          thinking: "The dashboard tile is red. First the partner's configuration, then a connection test.",
          text: "I will look at northwind's configuration and test the connection.",
          calls: [read("config/partners.json")],
        },
        {
          text: "There is no config/partners.json. Pinging the partner.",
          calls: [bash("node scripts/ping-partner.mjs northwind")],
        },
        {
          text: "The connection is refused. How long has that been so?",
          calls: [bash("cat logs/worker.log")],
        },
        {
          text: [
            "northwind's endpoint does not accept connections: ECONNREFUSED on 127.0.0.1:47071, first at 09:14:07.",
            "Each refused delivery is logged as `dropped` in logs/worker.log, 30 events from evt_4100 to evt_4129.",
            "Harbor itself is healthy; contoso is not affected.",
          ].join("\n"),
        },
        { text: "First the code that drops them.", calls: [read("src/deliver.ts")] },
        {
          text: [
            "`deliver()` in src/deliver.ts catches the ECONNREFUSED, logs it and returns false; src/worker.ts ignores",
            "the result. Nothing puts the event back. What is missing is a retry queue with a backoff, and a place",
            "for events that never get through. I suggest deciding the backoff first, in a session of its own.",
          ].join("\n"),
        },
      ],
    },
  });
  const images = [{ type: "image", data: DASHBOARD_PNG, mimeType: "image/png" }];
  await pi.prompt("Deliveries to northwind stopped at 09:14, see the dashboard tile. What is going on?", {
    images,
  });
  await pi.send({ type: "bash", command: "grep -c ECONNREFUSED logs/worker.log" });
  await pi.prompt("The partner is back. Why were the 30 events lost instead of being sent again?");
  await pi.send({ type: "set_session_name", name: "Northwind refuses deliveries" });
  const shows =
    "ECONNREFUSED: image in a user message, failing read and bash, `!` shell command, context edit, name";
  stage.remember("incident", await pi.sessionFile(), shows);
  await pi.close();
}

export async function releaseNotes(stage: Stage): Promise<void> {
  const path = await stage.print(
    {
      cwd: stage.workspace.harbor,
      script: {
        answers: [
          { error: "529 overloaded_error: the service is overloaded, try again" },
          { text: "Looking at the history.", calls: [bash("git log --format=%s")] },
          {
            text: [
              "## Harbor 0.5.0",
              "- Failed deliveries are retried: exponential backoff with full jitter (decision 0007).",
              "- Events that fail 12 times are kept in `dead_letters` and can be replayed with src/replay.ts.",
            ].join("\n"),
          },
        ],
      },
    },
    "Write the release notes of 0.5.0 for the retry queue.",
  );
  stage.remember("release-notes", path, "print mode: an overloaded provider (529) and Pi's own retry");
}

export async function statusPage(stage: Stage): Promise<void> {
  const path = await stage.print(
    {
      cwd: stage.workspace.lighthouse,
      tools: "read,edit",
      args: ["--name", "Dead letters on the status page"],
      script: {
        answers: [
          { calls: [read("src/status.ts")] },
          {
            text: "Adding a row for the dead letters after `queued`.",
            calls: [
              call("edit", {
                path: "src/status.ts",
                edits: [
                  {
                    oldText: `path: "/metrics/queued" },\n`,
                    newText: `path: "/metrics/queued" },\n  { service: "harbor", metric: "dead letters", path: "/metrics/dead_letters" },\n`,
                  },
                ],
              }),
            ],
          },
          {
            text: "src/status.ts now shows harbor's dead letters. Harbor must export /metrics/dead_letters first.",
          },
        ],
      },
    },
    "Show the number of harbor's dead letters on the status page.",
  );
  stage.remember("status-page", path, "another project: print mode with --name and an edit");
}
