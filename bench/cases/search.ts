/** 200 warm queries on the realistic store. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCase, figureBar, shown } from "../case.ts";
import { wordsOf } from "../queries.ts";
import { measureOurQueries, measureQueries, type Searched, searchedStore } from "../searching.ts";
import { eachText } from "../texts.ts";

export default defineCase<Searched & { readonly textsPath: string }>({
  name: "search",
  about: "200 warm queries of five kinds on the realistic store | a LIKE scan of all message text per word",
  bars: [
    figureBar("p50", "ratio", 0.3, "ms"),
    figureBar("p95", "ratio", 0.7, "ms"),
    shown("max", "ms", "slowest query"),
    ...["rare word", "common word", "two words", "identifier inside", "plain question"].map((kind) =>
      shown(kind, "ms", `median of: ${kind}`),
    ),
  ],

  async prepare(stores) {
    const directory = stores.scratch("search");
    const searched = await searchedStore(stores, directory);
    const textsPath = path.join(directory, "texts.db");
    const db = new DatabaseSync(textsPath);
    db.exec("CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT); BEGIN");
    const insert = db.prepare("INSERT INTO message (text) VALUES (?)");
    eachText(searched.root, (text) => insert.run(text));
    db.exec("COMMIT");
    db.close();
    return { ...searched, textsPath };
  },

  ours: measureOurQueries,

  async floor({ textsPath, queries }, meter) {
    const db = new DatabaseSync(textsPath, { readOnly: true });
    const scan = db.prepare("SELECT count(*) FROM message WHERE text LIKE ? ESCAPE '\\'");
    await measureQueries(queries, meter, (text) =>
      wordsOf(text).map((word) => scan.get(`%${word.replace(/[\\%_]/g, "\\$&")}%`)),
    );
    db.close();
  },
});
