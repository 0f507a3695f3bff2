/** The real words at the head of the vocabulary, in rough order of frequency, and text of other scripts. */

const split = (text: string): readonly string[] => text.trim().split(/\s+/);

export const FUNCTION_WORDS = split(`
the to a of and is in it that for we this on with not be as are from so if or by but an at was can will should which
when now then all you have no its there one has into only because does what how do need after before each would also
more i just same still where them they up out than where why who use here some could every both without until while
already been other any too my your our these those did were had let's i'll it's that's don't doesn't isn't can't`);

/** Nouns take -s; verbs are regular and take -s, -ed and -ing. */
export const NOUNS = split(`
file test error session line build function server request message commit branch module type value key path index
query token user agent tool command option field schema log cache client worker queue table row column database script
package version release config setting endpoint handler parser reader writer buffer stream socket header payload
response timeout retry migration snapshot checkpoint lock thread process signal event listener callback promise
iterator generator cursor page limit filter range window word phrase result answer question problem reason decision
change patch diff conflict merge pipeline job runner container image volume network proxy certificate password
secret credential permission role account invoice order customer billing ledger replica shard partition cluster node
region bucket object archive backup restore metric counter histogram alert dashboard trace span budget quota balance
rule policy guard fixture mock stub assertion snapshot benchmark floor ratio median percentile sample seed store
directory folder symlink inode descriptor byte character string number array map record tuple union interface class
method property decorator plugin extension hook skill prompt model provider context summary compaction fork tip leaf`);

export const VERBS = split(`
check add change fix test work need look start call return load parse handle fail pass move rename update
remove check skip wait retry reject accept resolve return throw catch log trace render format collect compare match
filter sort merge split join append truncate restore replace delete insert migrate index search scan load open
close lock unlock flush sync commit revert rebase push pull deploy release publish install configure enable disable
validate verify measure record report print show hide mount listen connect disconnect reconnect authenticate
encode decode escape quote fold stem rank score cluster duplicate schedule cancel abort pause resume`);

export const ACCENTED = split(`
für größe überprüfung schlüssel prüfen löschen änderung möglich zurück straße fähigkeit schließen übersetzen ausführen
configuración función línea código también sesión última índice búsqueda acción año después número versión página
éléphant créer données fenêtre problème résultat modèle déjà être réponse naïve façade requête exécuter paramètre
żółć łódź příliš žluťoučký håndtering smørrebrød ændring öğrenme işlem çözüm não conexão informação`);

/** Characters of running Chinese text, commonest first. */
export const HAN = [
  ..."的一是不了在有我他这个们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快原吃妈变通师立象数四失满战远格士音轻目条呢病始达深完今提求清王化空业思切怎非找片罗钱吗语元喜曾离飞科言干流欢约各即指合反题必该论交终林请医晚制球决传画保读运及则房早院量苦火布品近坐产答星精视五连司巴奇管类未朋且婚台夜青北队久乎越观落尽形影红爸百令周吧识步希亚术留市半热送兴造谈容极随演收首根讲整式取照办强石古华件配置函错误缓存索引查询测试迁移部署线程队列",
];

export const KANA = split(`
です ます した する これ それ ファイル エラー テスト セッション インデックス を は が に の と から まで ください
検索 実行 設定 確認 修正 変更 削除 追加 `);

/** Parts of identifiers. None of them is made by the syllables of vocabulary.ts. */
export const IDENTIFIER_PARTS = split(`
get set make build parse read write load store fetch push pull find list sort merge split retry queue index token
cache buffer stream socket worker budget ledger cursor anchor window branch header footer status remote local batch
chunk digest cipher wallet router filter schema policy backoff jitter bucket shard replica quorum epoch fence lease
vector matrix tensor kernel render layout canvas sprite glyph locale region tenant quota meter probe beacon relay`);

export const ERROR_CODES = split(`
ECONNREFUSED ENOENT EACCES ETIMEDOUT EADDRINUSE EPIPE ECONNRESET EMFILE ENOSPC EEXIST EISDIR ENOTEMPTY SIGKILL
SIGSEGV ERR_MODULE_NOT_FOUND ERR_ASSERTION ERR_INVALID_ARG_TYPE SQLITE_BUSY SQLITE_CORRUPT TS2345 TS2322 E0382 HTTP502`);
