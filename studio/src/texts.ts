// Everything the page says, in every language it speaks. `{name}` is put in by `t`.

const table = {
  title: { en: "Rebone studio", de: "Rebone-Studio", ja: "Rebone スタジオ" },
  open: { en: "Open files", de: "Dateien öffnen", ja: "ファイルを開く" },
  samples: { en: "Samples", de: "Beispiele", ja: "サンプル" },
  undo: { en: "Undo", de: "Rückgängig", ja: "元に戻す" },
  redo: { en: "Redo", de: "Wiederholen", ja: "やり直す" },
  language: { en: "Language", de: "Sprache", ja: "言語" },
  theme: { en: "Dark or light", de: "Dunkel oder hell", ja: "ダーク／ライト" },
  motion: { en: "Motion", de: "Bewegung", ja: "モーション" },
  characters: { en: "Characters", de: "Figuren", ja: "キャラクター" },
  clips: { en: "Clips", de: "Clips", ja: "クリップ" },
  remove: { en: "Remove {name}", de: "{name} entfernen", ja: "{name} を外す" },
  useAsMotion: { en: "Use {name} as motion", de: "{name} als Bewegung benutzen", ja: "{name} をモーションとして使う" },
  useAsCharacter: { en: "Use {name} as character", de: "{name} als Figur benutzen", ja: "{name} をキャラクターとして使う" },
  dropMotion: { en: "Drop a motion here: FBX, BVH, GLB, VRMA", de: "Bewegung hier ablegen: FBX, BVH, GLB, VRMA", ja: "モーションをここにドロップ：FBX、BVH、GLB、VRMA" },
  dropCharacter: { en: "Drop characters here: VRM, GLB, FBX, BVH", de: "Figuren hier ablegen: VRM, GLB, FBX, BVH", ja: "キャラクターをここにドロップ：VRM、GLB、FBX、BVH" },
  dropAnywhere: { en: "Drop files. They stay on this machine.", de: "Dateien ablegen. Sie bleiben auf diesem Rechner.", ja: "ファイルをドロップ。データはこの端末の外に出ません。" },
  privacy: { en: "Nothing is uploaded.", de: "Nichts wird hochgeladen.", ja: "アップロードはありません。" },
  sampleNote: { en: "This is a sample. Drop your own motion and character anywhere on the page.", de: "Dies ist ein Beispiel. Eigene Bewegung und Figur irgendwo auf der Seite ablegen.", ja: "これはサンプルです。モーションとキャラクターをページのどこかにドロップしてください。" },
  close: { en: "Close", de: "Schließen", ja: "閉じる" },
  reading: { en: "Reading {name} …", de: "{name} wird gelesen …", ja: "{name} を読み込み中…" },
  retargeting: { en: "Retargeting …", de: "Wird übertragen …", ja: "リターゲット中…" },
  loadingEngine: { en: "Loading the engine …", de: "Das Rechenwerk wird geladen …", ja: "エンジンを読み込み中…" },
  fileRefused: { en: "{name} could not be opened", de: "{name} konnte nicht geöffnet werden", ja: "{name} を開けませんでした" },
  pairRefused: { en: "This could not be retargeted", de: "Das konnte nicht übertragen werden", ja: "リターゲットできませんでした" },
  recipeRefused: { en: "The recipe could not be used", de: "Das Rezept konnte nicht benutzt werden", ja: "レシピを使えませんでした" },
  meshRefused: { en: "{name} is shown as a skeleton, because its mesh could not be drawn", de: "{name} wird als Skelett gezeigt, weil das Netz nicht gezeichnet werden konnte", ja: "{name} のメッシュを描画できないため、スケルトンで表示します" },
  writingRefused: { en: "The file could not be made", de: "Die Datei konnte nicht erzeugt werden", ja: "ファイルを作成できませんでした" },
  kept: { en: "Your work is as it was.", de: "Die Arbeit ist unverändert.", ja: "作業内容はそのままです。" },
  noClip: { en: "{name} holds no motion", de: "{name} enthält keine Bewegung", ja: "{name} にモーションがありません" },
  sideBySide: { en: "Side by side", de: "Nebeneinander", ja: "並べる" },
  overlaid: { en: "Overlaid", de: "Übereinander", ja: "重ねる" },
  mesh: { en: "Mesh", de: "Netz", ja: "メッシュ" },
  skeleton: { en: "Skeleton", de: "Skelett", ja: "スケルトン" },
  both: { en: "Both", de: "Beides", ja: "両方" },
  follow: { en: "Follow", de: "Mitgehen", ja: "追従" },
  trails: { en: "Trails", de: "Spuren", ja: "軌跡" },
  frameView: { en: "Show all", de: "Alles zeigen", ja: "全体表示" },
  pickFor: { en: "Click the joint for {slot} in the skeleton ({side}). Esc ends it.", de: "Im Skelett das Gelenk für {slot} anklicken ({side}). Esc beendet.", ja: "{side}のスケルトンで {slot} のジョイントをクリックしてください。Escで終了。" },
  pickIn: { en: "Click the joint in the picture: {slot}, {side}", de: "Gelenk im Bild anklicken: {slot}, {side}", ja: "画面でジョイントを選ぶ：{slot}、{side}" },
  drawnLarger: { en: "drawn {times} times as large", de: "{times}-mal so groß gezeichnet", ja: "{times} 倍で表示" },
  acrossKinds: { en: "Between kinds of bodies", de: "Zwischen Arten von Körpern", ja: "異なる体型間" },
  goAcross: { en: "Arms move front legs: try it", de: "Arme bewegen Vorderbeine: versuchen", ja: "腕で前脚を動かす" },
  layout: { en: "Layout", de: "Anordnung", ja: "配置" },
  look: { en: "Look", de: "Darstellung", ja: "表示" },
  play: { en: "Play", de: "Abspielen", ja: "再生" },
  pause: { en: "Pause", de: "Pause", ja: "一時停止" },
  previousFrame: { en: "Frame back", de: "Bild zurück", ja: "前のフレーム" },
  nextFrame: { en: "Frame on", de: "Bild vor", ja: "次のフレーム" },
  loop: { en: "Loop", de: "Schleife", ja: "ループ" },
  speed: { en: "Speed", de: "Tempo", ja: "速度" },
  time: { en: "Time", de: "Zeit", ja: "時間" },
  contacts: { en: "Contacts", de: "Kontakte", ja: "接地" },
  mapping: { en: "Mapping", de: "Zuordnung", ja: "マッピング" },
  report: { en: "Report", de: "Bericht", ja: "レポート" },
  operations: { en: "Operations", de: "Schritte", ja: "処理" },
  take: { en: "Take away", de: "Mitnehmen", ja: "書き出し" },
  slot: { en: "Slot", de: "Platz", ja: "スロット" },
  source: { en: "Source", de: "Quelle", ja: "ソース" },
  target: { en: "Target", de: "Ziel", ja: "ターゲット" },
  none: { en: "(none)", de: "(keines)", ja: "（なし）" },
  byHand: { en: "chosen by hand", de: "von Hand gewählt", ja: "手動で選択" },
  mappingNote: { en: "Doubts first. Choose another joint from the list; every choice can be undone.", de: "Zweifel zuerst. Ein anderes Gelenk aus der Liste wählen; jede Wahl lässt sich zurücknehmen.", ja: "確信度の低い順です。リストから別のジョイントを選べます。すべて元に戻せます。" },
  jointOf: { en: "{slot}, joint of the {side}", de: "{slot}, Gelenk: {side}", ja: "{slot}：{side}のジョイント" },
  backToFound: { en: "Back to what was found: {slot}", de: "Zurück zum Gefundenen: {slot}", ja: "自動検出に戻す：{slot}" },
  unmapped: { en: "Joints in no slot: {count}", de: "Gelenke ohne Platz: {count}", ja: "スロットのないジョイント：{count}" },
  warnings: { en: "Doubts", de: "Zweifel", ja: "注意" },
  noWarnings: { en: "No doubts.", de: "Keine Zweifel.", ja: "注意はありません。" },
  figures: { en: "Figures", de: "Kennzahlen", ja: "数値" },
  moments: { en: "Moments that deserve a look", de: "Augenblicke, die einen Blick verdienen", ja: "確認したい瞬間" },
  noMoments: { en: "None.", de: "Keine.", ja: "ありません。" },
  verdict_pass: { en: "good", de: "gut", ja: "良好" },
  verdict_warn: { en: "look at it", de: "ansehen", ja: "要確認" },
  verdict_fail: { en: "bad", de: "schlecht", ja: "不良" },
  figure: { en: "Figure", de: "Kennzahl", ja: "項目" },
  value: { en: "Value", de: "Wert", ja: "値" },
  rootScale: { en: "Root scale", de: "Wegmaßstab", ja: "ルートスケール" },
  found: { en: "found", de: "gefunden", ja: "自動" },
  preset: { en: "Preset", de: "Vorgabe", ja: "プリセット" },
  method: { en: "Method", de: "Verfahren", ja: "方式" },
  rootMotion: { en: "Root motion", de: "Wurzelbewegung", ja: "ルートモーション" },
  limits: { en: "Joint limits", de: "Gelenkgrenzen", ja: "関節制限" },
  mirror: { en: "Mirror", de: "Spiegeln", ja: "ミラー" },
  twist: { en: "Twist joints", de: "Drehgelenke", ja: "ツイストジョイント" },
  ground: { en: "Bodies on the floor", de: "Körper auf dem Boden", ja: "床との接触" },
  feet: { en: "Feet", de: "Füße", ja: "足" },
  lock: { en: "Foot lock", de: "Fußsperre", ja: "足の固定" },
  hands: { en: "Hands", de: "Hände", ja: "手" },
  armSpacing: { en: "Arms away from the body (degrees)", de: "Arme vom Körper weg (Grad)", ja: "腕と体の間隔（度）" },
  legSpacing: { en: "Legs apart (degrees)", de: "Beine auseinander (Grad)", ja: "脚の間隔（度）" },
  standard: { en: "(default)", de: "(Standard)", ja: "（既定）" },
  reset: { en: "Back to the default: {name}", de: "Zurück zum Standard: {name}", ja: "既定に戻す：{name}" },
  weight: { en: "Weight", de: "Gewicht", ja: "重み" },
  on: { en: "on", de: "an", ja: "オン" },
  off: { en: "off", de: "aus", ja: "オフ" },
  thisClip: { en: "This clip", de: "Dieser Clip", ja: "このクリップ" },
  allClips: { en: "All clips", de: "Alle Clips", ja: "すべてのクリップ" },
  which: { en: "Clips in the file", de: "Clips in der Datei", ja: "ファイルに入れるクリップ" },
  animation: { en: "Animation", de: "Animation", ja: "アニメーション" },
  work: { en: "Your choices", de: "Eigene Entscheidungen", ja: "設定" },
  recipe: { en: "Recipe", de: "Rezept", ja: "レシピ" },
  recipeFull: { en: "Recipe with every joint", de: "Rezept mit allen Gelenken", ja: "全ジョイント入りレシピ" },
  plan: { en: "Plan (.retarget)", de: "Plan (.retarget)", ja: "プラン（.retarget）" },
  page: { en: "Report (HTML)", de: "Bericht (HTML)", ja: "レポート（HTML）" },
  command: { en: "Copy as command line", de: "Als Befehlszeile kopieren", ja: "コマンドとしてコピー" },
  copied: { en: "Copied.", de: "Kopiert.", ja: "コピーしました。" },
  saved: { en: "{name} was made.", de: "{name} wurde erzeugt.", ja: "{name} を作成しました。" },
  stage: { en: "The source and the target in motion", de: "Quelle und Ziel in Bewegung", ja: "ソースとターゲットの動き" },
  speeds: { en: "{speed}×", de: "{speed}×", ja: "{speed}×" },
  clipLength: { en: "{seconds} s", de: "{seconds} s", ja: "{seconds} 秒" },
  keys: { en: "Space plays, arrows step, Ctrl+Z undoes", de: "Leertaste spielt, Pfeile gehen ein Bild weiter, Strg+Z nimmt zurück", ja: "スペースで再生、矢印でコマ送り、Ctrl+Zで元に戻す" },
  details: { en: "Details", de: "Einzelheiten", ja: "詳細" },
  missingParts: { en: "{name}: files that it refers to are missing", de: "{name}: Dateien, auf die verwiesen wird, fehlen", ja: "{name}：参照先のファイルがありません" },
  missingPartsAre: { en: "{files}. Drop them on the page too, in any order, or the folder they are in.", de: "{files}. Auch sie auf der Seite ablegen, in beliebiger Reihenfolge, oder den Ordner, in dem sie liegen.", ja: "{files}。これらのファイル、またはそのフォルダーもページにドロップしてください（順序は問いません）。" },
  notSaved: { en: "The browser keeps nothing over a reload here (private window or full disk).", de: "Der Browser merkt sich hier nichts über ein Neuladen hinaus (privates Fenster oder volle Platte).", ja: "このブラウザーでは再読み込み後に内容が残りません（プライベートウィンドウ、または容量不足）。" },
} as const;

export type TextKey = keyof typeof table;
export const languages = { en: "English", de: "Deutsch", ja: "日本語" } as const;
export type Language = keyof typeof languages;

const KEY = "rebone-language";
const isLanguage = (text: string | null | undefined): text is Language => text !== null && text !== undefined && text in languages;

function first(): Language {
  const stored = localStorage.getItem(KEY);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((own) => own.slice(0, 2)).find(isLanguage) ?? "en";
}

let current: Language = first();

export const language = (): Language => current;

export function setLanguage(own: Language): void {
  current = own;
  localStorage.setItem(KEY, own);
}

/** A text in the current language. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return table[key][current].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
