// What the engine's codes mean, in every language of the page: what is the matter, and what to do about it. The engine's own text, with
// names and numbers, stands beside it.

import { language, type Language } from "./texts";

type Words = Readonly<Record<Language, string>>;
const w = (en: string, de: string, ja: string): Words => ({ en, de, ja });

/** Of everything that the engine throws. */
export const errorTexts: Readonly<Record<string, Words>> = {
  clip: w(
    "This clip cannot be used. Choose another one.",
    "Dieser Clip ist nicht brauchbar. Einen anderen wählen.",
    "このクリップは使えません。別のクリップを選んでください。",
  ),
  "file-limit": w(
    "The file is larger than what is read. Make it smaller, or split it.",
    "Die Datei ist größer als das, was gelesen wird. Sie verkleinern oder aufteilen.",
    "ファイルが読み込みの上限を超えています。小さくするか、分割してください。",
  ),
  "file-malformed": w(
    "The file is damaged or incomplete. Export it again.",
    "Die Datei ist beschädigt oder unvollständig. Sie noch einmal exportieren.",
    "ファイルが壊れているか、途中で切れています。もう一度書き出してください。",
  ),
  "file-request": w(
    "The file does not fit what was asked for.",
    "Die Datei passt nicht zu dem, was verlangt wurde.",
    "ファイルが要求に合いません。",
  ),
  "file-unsupported": w(
    "This kind of file is not read. FBX, glTF, GLB, VRM, VRMA, BVH, URDF and MJCF are.",
    "Diese Art von Datei wird nicht gelesen. Gelesen werden FBX, glTF, GLB, VRM, VRMA, BVH, URDF und MJCF.",
    "この形式は読み込めません。FBX、glTF、GLB、VRM、VRMA、BVH、URDF、MJCF に対応しています。",
  ),
  internal: w(
    "The engine came upon a case it was not made for, and was loaded anew. Please report it with the files.",
    "Das Rechenwerk ist auf einen Fall gestoßen, für den es nicht gemacht ist, und wurde neu geladen. Bitte mit den Dateien melden.",
    "エンジンで想定外の問題が起き、再読み込みしました。ファイルを添えてご報告ください。",
  ),
  "kinds-differ": w(
    "One is a person and the other an animal. Say that arms are to move front legs.",
    "Das eine ist ein Mensch, das andere ein Tier. Festlegen, dass Arme Vorderbeine bewegen sollen.",
    "人型と動物の組み合わせです。腕で前脚を動かすよう指定してください。",
  ),
  "nothing-in-common": w(
    "The two rigs have no body part in common. Choose joints in the mapping.",
    "Die beiden Rigs haben keinen Körperteil gemeinsam. In der Zuordnung Gelenke wählen.",
    "両方のリグに共通する部位がありません。マッピングでジョイントを選んでください。",
  ),
  page: w("This did not work in the page.", "Das hat in der Seite nicht geklappt.", "ページ内で処理に失敗しました。"),
  picture: w(
    "The picture could not be made. Ask for a smaller one, or for fewer frames.",
    "Das Bild konnte nicht gemacht werden. Ein kleineres oder weniger Bilder verlangen.",
    "画像を作成できませんでした。サイズかフレーム数を減らしてください。",
  ),
  plan: w(
    "The plan cannot be used. Give a file that was made by “Plan (.retarget)”.",
    "Der Plan ist nicht brauchbar. Eine Datei geben, die mit „Plan (.retarget)“ gemacht wurde.",
    "プランを使えません。「プラン（.retarget）」で作成したファイルを指定してください。",
  ),
  recipe: w("The recipe says something that cannot be.", "Das Rezept verlangt etwas, das nicht geht.", "レシピの内容に誤りがあります。"),
  request: w(
    "What was asked for is not in these files.",
    "Was verlangt wurde, gibt es in diesen Dateien nicht.",
    "要求された内容がファイルにありません。",
  ),
  "slots-missing": w(
    "Body parts that are needed were not found. Choose their joints in the mapping.",
    "Nötige Körperteile wurden nicht gefunden. Ihre Gelenke in der Zuordnung wählen.",
    "必要な部位が見つかりません。マッピングでジョイントを選んでください。",
  ),
};

/** Of every doubt: the codes of the documentation. */
export const warningTexts: Readonly<Record<string, Words>> = {
  "animation-compressed": w(
    "Compressed clips are left out. Decompress the file first, or export without compression.",
    "Komprimierte Clips fehlen. Die Datei erst entpacken oder ohne Komprimierung exportieren.",
    "圧縮されたクリップは除外されました。展開するか、圧縮せずに書き出してください。",
  ),
  "ankle-height-guessed": w(
    "Nothing shows how high the ankles are. Look at the feet; a file of the rig with its skin would tell.",
    "Nichts zeigt, wie hoch die Knöchel liegen. Die Füße ansehen; eine Datei des Rigs mit Haut würde es zeigen.",
    "足首の高さが分かりません。足元を確認してください。スキン付きのファイルがあれば判定できます。",
  ),
  "arms-hang": w(
    "The arms of the reference pose hang straight down. If they are rolled in the result, turn the upper arms in the retarget pose.",
    "In der Bezugspose hängen die Arme gerade herab. Sind sie im Ergebnis verdreht, die Oberarme in der Übertragungspose drehen.",
    "基準ポーズで腕が真下を向いています。結果でねじれる場合は、リターゲットポーズで上腕を回してください。",
  ),
  "body-frame-unknown": w(
    "The body does not show which way is up and where it looks. Choose upper legs and upper arms in the mapping.",
    "Der Körper zeigt nicht, wo oben ist und wohin er blickt. Oberschenkel und Oberarme in der Zuordnung wählen.",
    "体の上方向と正面が分かりません。マッピングで太ももと上腕を選んでください。",
  ),
  "bvh-channels-missing": w(
    "A joint of the BVH target cannot hold part of the motion. Write glTF if the loss is seen.",
    "Ein Gelenk des BVH-Ziels kann einen Teil der Bewegung nicht aufnehmen. glTF schreiben, wenn man es sieht.",
    "BVHのジョイントに動きの一部を保存できません。目立つ場合はglTFで書き出してください。",
  ),
  "bvh-frame-count": w(
    "A BVH file has another number of frames than it says. Nothing to do if the clip has the right length.",
    "Die BVH-Datei hat eine andere Zahl von Bildern, als sie sagt. Nichts zu tun, wenn die Länge stimmt.",
    "BVHのフレーム数が記述と違います。長さが正しければ問題ありません。",
  ),
  "bvh-frame-time": w(
    "A BVH file does not say how long a frame lasts. Correct its “Frame Time” if the speed is wrong.",
    "Die BVH-Datei sagt nicht, wie lange ein Bild dauert. „Frame Time“ berichtigen, wenn das Tempo nicht stimmt.",
    "BVHにフレーム時間がありません。速度がおかしい場合は「Frame Time」を直してください。",
  ),
  "bvh-no-offset": w(
    "Joints of a BVH file have no place of their own. Export it again if limbs are missing.",
    "Gelenke der BVH-Datei haben keinen eigenen Ort. Neu exportieren, wenn Glieder fehlen.",
    "BVHに位置のないジョイントがあります。手足が欠ける場合は書き出し直してください。",
  ),
  "bvh-other-roots": w(
    "The BVH file holds several characters, and only one was animated. Split it if the others have to move.",
    "Die BVH-Datei enthält mehrere Figuren, nur eine wurde animiert. Sie aufteilen, wenn auch die anderen sich bewegen sollen.",
    "BVHに複数のキャラクターがあり、動くのは一体だけです。他も動かすには分割してください。",
  ),
  "bvh-row-incomplete": w(
    "The last frame of the BVH file is cut off. Copy it again if frames are missing.",
    "Das letzte Bild der BVH-Datei ist abgeschnitten. Sie neu kopieren, wenn Bilder fehlen.",
    "BVHの最後のフレームが途中で切れています。足りなければコピーし直してください。",
  ),
  "bvh-scale-lost": w(
    "BVH has no place for a scale. Write glTF if it matters.",
    "BVH kann keine Größenänderung aufnehmen. glTF schreiben, wenn sie zählt.",
    "BVHにはスケールを保存できません。必要ならglTFで書き出してください。",
  ),
  "calibration-unused": w(
    "The recipe turns a slot for which the rig has no joint. Give the slot a joint, or take the turn out.",
    "Das Rezept dreht einen Platz, für den das Rig kein Gelenk hat. Dem Platz ein Gelenk geben oder die Drehung entfernen.",
    "レシピの補正先のスロットにジョイントがありません。ジョイントを割り当てるか、補正を外してください。",
  ),
  "chain-mode-unused": w(
    "A mode was chosen for a chain that the rigs have not in common. Take it out, or give the slot joints.",
    "Für eine Kette, die die Rigs nicht gemeinsam haben, wurde eine Art gewählt. Sie entfernen oder dem Platz Gelenke geben.",
    "両方のリグにないチェーンにモードが指定されています。外すか、ジョイントを割り当ててください。",
  ),
  "clip-name-taken": w(
    "The target already has a clip of this name. The new one is the last in the file.",
    "Das Ziel hat schon einen Clip dieses Namens. Der neue ist der letzte in der Datei.",
    "同名のクリップがすでにあります。新しいものはファイルの最後に入ります。",
  ),
  "cluster-without-joint": w(
    "A part of an FBX skin names no joint. Bind the mesh again if the picture looks wrong.",
    "Ein Teil einer FBX-Haut nennt kein Gelenk. Das Netz neu binden, wenn das Bild nicht stimmt.",
    "FBXのスキンにジョイントのない部分があります。表示がおかしい場合はバインドし直してください。",
  ),
  "constant-error": w(
    "A limb, the head or a palm is off by the same angle all the time. Compare both sides; choose another rest pose or turn the joint in the retarget pose.",
    "Ein Glied, der Kopf oder eine Handfläche ist durchgehend um denselben Winkel daneben. Beide Seiten vergleichen; eine andere Ruhepose wählen oder das Gelenk in der Übertragungspose drehen.",
    "手足、頭または手のひらが常に同じ角度ずれています。両者を見比べ、別のレストポーズを選ぶか、リターゲットポーズで回してください。",
  ),
  "contacts-unused": w(
    "Contacts of the recipe name a point or a clip that the source does not have. Correct the name, or take them out.",
    "Kontakte des Rezepts nennen einen Punkt oder Clip, den die Quelle nicht hat. Den Namen berichtigen oder sie entfernen.",
    "レシピの接地が、ソースにない点やクリップを指しています。名前を直すか、外してください。",
  ),
  "convert-lost": w(
    "The format cannot hold everything that was in the file. Keep the original, or write GLB.",
    "Das Format kann nicht alles aufnehmen. Das Original behalten oder GLB schreiben.",
    "この形式ではすべてを保存できません。元のファイルを残すか、GLBで書き出してください。",
  ),
  "curve-name-unused": w(
    "The recipe names a curve that no clip has. Correct the name, or take it out.",
    "Das Rezept nennt eine Kurve, die kein Clip hat. Den Namen berichtigen oder sie entfernen.",
    "レシピが、どのクリップにもないカーブを指しています。名前を直すか、外してください。",
  ),
  "curve-not-kept": w(
    "Motion of morph targets or expressions finds nothing in the file. Nothing to do if the joints are what you want.",
    "Bewegung von Morphs oder Ausdrücken findet in der Datei nichts. Nichts zu tun, wenn es um die Gelenke geht.",
    "モーフや表情の動きの反映先がファイルにありません。ジョイントだけでよければ問題ありません。",
  ),
  "curve-unreadable": w(
    "A motion of morph targets, expressions or properties is broken. Export the file again if it matters.",
    "Eine Bewegung von Morphs, Ausdrücken oder Eigenschaften ist kaputt. Neu exportieren, wenn sie zählt.",
    "モーフ・表情・プロパティの動きが壊れています。必要なら書き出し直してください。",
  ),
  "duplicate-joint": w(
    "The file labels one joint or one slot twice. If the first is wrong, choose the joint in the mapping.",
    "Die Datei benennt ein Gelenk oder einen Platz zweimal. Ist der erste falsch, das Gelenk in der Zuordnung wählen.",
    "同じジョイントまたはスロットが二重に指定されています。誤りがあればマッピングで選び直してください。",
  ),
  "facing-unsure": w(
    "The toes point backwards, so left and right may be swapped. Compare the sides in the mapping.",
    "Die Zehen zeigen nach hinten, links und rechts sind vielleicht vertauscht. Die Seiten in der Zuordnung vergleichen.",
    "つま先が後ろ向きです。左右が逆かもしれません。マッピングで確認してください。",
  ),
  "fbx-animation-replaced": w(
    "The FBX target's own animation is not in the result. Keep the original file if you need it.",
    "Die eigene Animation des FBX-Ziels ist nicht im Ergebnis. Bei Bedarf das Original behalten.",
    "FBXに元からあったアニメーションは結果に含まれません。必要なら元のファイルを残してください。",
  ),
  "fbx-damaged": w(
    "Part of the FBX file is broken. Look at the result; export it again where it is wrong.",
    "Ein Teil der FBX-Datei ist kaputt. Das Ergebnis ansehen; wo es nicht stimmt, neu exportieren.",
    "FBXの一部が壊れています。結果を確認し、おかしければ書き出し直してください。",
  ),
  "fbx-rewritten": w(
    "The FBX target is too old to be changed and was written anew. Save it as FBX 7.4 or later for more.",
    "Das FBX-Ziel ist zu alt, um geändert zu werden, und wurde neu geschrieben. Es für mehr als FBX 7.4 oder neuer speichern.",
    "FBXが古いため新規に書き出しました。7.4以降で保存し直すと内容を保てます。",
  ),
  "fbx-rotation-order": w(
    "Joints of the FBX file have a rotation order that cannot be read. Set it to XYZ where the file was made.",
    "Gelenke der FBX-Datei haben eine Drehfolge, die nicht gelesen werden kann. Sie dort, wo die Datei entstand, auf XYZ setzen.",
    "読み取れない回転順序のジョイントがあります。作成元でXYZに設定してください。",
  ),
  "fbx-track-not-kept": w(
    "The FBX target cannot hold part of the motion of a joint. Write a new FBX or a GLB.",
    "Das FBX-Ziel kann einen Teil der Bewegung eines Gelenks nicht aufnehmen. Ein neues FBX oder GLB schreiben.",
    "FBXのジョイントに動きの一部を保存できません。新しいFBXかGLBで書き出してください。",
  ),
  "floor-unsure": w(
    "The source's own feet are below the floor that was found. If the result stands too low, state the floor in the recipe (ground below [contacts]).",
    "Die Füße der Quelle sind unter dem gefundenen Boden. Steht das Ergebnis zu tief, den Boden im Rezept angeben (ground unter [contacts]).",
    "ソースの足が検出された床より下にあります。結果が低すぎる場合は、レシピの [contacts] の ground で床の高さを指定してください。",
  ),
  "foreign-joint-missing": w(
    "A map of another tool names joints that the rig lacks. Nothing to do if it has no such parts.",
    "Die Zuordnung eines anderen Werkzeugs nennt Gelenke, die dem Rig fehlen. Nichts zu tun, wenn es diese Teile nicht hat.",
    "他ツールのマップに、リグにないジョイントがあります。その部位がなければ問題ありません。",
  ),
  "foreign-map-reversed": w(
    "A map of another tool goes the other way round. Check that source and target are where you want them.",
    "Die Zuordnung eines anderen Werkzeugs gilt in der Gegenrichtung. Prüfen, ob Quelle und Ziel richtig stehen.",
    "他ツールのマップの向きが逆です。ソースとターゲットを確認してください。",
  ),
  "foreign-names-differ": w(
    "A map of another tool spells joints otherwise than the file. Check that the right ones were found.",
    "Die Zuordnung eines anderen Werkzeugs schreibt Gelenke anders als die Datei. Prüfen, ob die richtigen gefunden wurden.",
    "他ツールのマップとファイルでジョイント名の表記が違います。正しく対応しているか確認してください。",
  ),
  "foreign-not-kept": w(
    "A map for another tool has no place for some joints. A recipe keeps everything.",
    "Die Zuordnung für ein anderes Werkzeug hat für manche Gelenke keinen Platz. Ein Rezept behält alles.",
    "他ツール用のマップに入らないジョイントがあります。レシピならすべて保存できます。",
  ),
  "foreign-part-unknown": w(
    "A map of another tool says something that could not be used. Give joints that have to move a slot in the mapping.",
    "Die Zuordnung eines anderen Werkzeugs sagt etwas, das nicht brauchbar war. Gelenken, die sich bewegen sollen, einen Platz geben.",
    "他ツールのマップに使えない項目があります。動かしたいジョイントはマッピングで割り当ててください。",
  ),
  "hips-on-floor": w(
    "The hips joint lies on the floor, so its height is no measure. Set the root scale to “auto”, or choose a joint at the pelvis.",
    "Das Hüftgelenk liegt auf dem Boden, seine Höhe ist kein Maß. Den Wegmaßstab auf „auto“ stellen oder ein Gelenk am Becken wählen.",
    "腰のジョイントが床にあるため高さの基準になりません。ルートスケールを「auto」にするか、骨盤のジョイントを選んでください。",
  ),
  "hips-still": w(
    "The source's hips never move although its feet leave the floor, so it hangs in the air. Export the clip with the movement of the hips.",
    "Die Hüften der Quelle stehen still, obwohl ihre Füße den Boden verlassen: Sie hängt in der Luft. Den Clip mit der Bewegung der Hüften exportieren.",
    "足が床から離れても腰が動かず、ソースが宙に浮いています。腰の動きを含めてクリップを書き出してください。",
  ),
  "image-missing": w(
    "The picture of a texture is missing. Drop it on the page too.",
    "Das Bild einer Textur fehlt. Auch es auf der Seite ablegen.",
    "テクスチャ画像がありません。画像もページにドロップしてください。",
  ),
  "knees-bent": w(
    "The knees of the reference pose are bent. Look at the feet; turn them in the retarget pose if they are wrong.",
    "In der Bezugspose sind die Knie gebeugt. Die Füße ansehen und bei Bedarf in der Übertragungspose drehen.",
    "基準ポーズで膝が曲がっています。足を確認し、必要ならリターゲットポーズで回してください。",
  ),
  "label-contradicts-skeleton": w(
    "Labels of the file do not fit its tree of joints. If a limb points elsewhere, choose the right joint in the mapping.",
    "Bezeichnungen der Datei passen nicht zu ihren Gelenken. Zeigt ein Glied woandershin, das richtige Gelenk in der Zuordnung wählen.",
    "ファイル内のラベルとジョイントの構造が合いません。向きがおかしい部位はマッピングで選び直してください。",
  ),
  "label-unknown": w(
    "The file gives a joint a label that is no slot. It is ignored; choose the joint in the mapping if it matters.",
    "Die Datei gibt einem Gelenk eine Bezeichnung, die kein Platz ist. Sie wird übergangen; bei Bedarf in der Zuordnung wählen.",
    "未知のラベルは無視されました。必要ならマッピングで割り当ててください。",
  ),
  "label-without-node": w(
    "The file labels a node that does not exist. Export it again, or choose the joint in the mapping.",
    "Die Datei bezeichnet einen Knoten, den es nicht gibt. Neu exportieren oder das Gelenk in der Zuordnung wählen.",
    "存在しないノードにラベルがあります。書き出し直すか、マッピングでジョイントを選んでください。",
  ),
  "limbs-far-off": w(
    "Arms and legs point elsewhere than the source's. Look at the mapping, the retarget pose, the preset and the method.",
    "Arme und Beine zeigen woandershin als bei der Quelle. Zuordnung, Übertragungspose, Vorgabe und Verfahren ansehen.",
    "手足の向きがソースと大きく違います。マッピング、リターゲットポーズ、プリセット、方式を確認してください。",
  ),
  "limits-unused": w(
    "Limits are given for a slot that the rig lacks, or there is nothing to learn them from. Give the slot a joint, or take them out.",
    "Grenzen gelten für einen Platz, den das Rig nicht hat, oder es gibt nichts, woran sie zu lernen wären. Dem Platz ein Gelenk geben oder sie entfernen.",
    "関節制限の対象がリグにないか、学習元がありません。ジョイントを割り当てるか、制限を外してください。",
  ),
  "look-at-unused": w(
    "The target has no head that could look at a point. Choose its joint in the mapping.",
    "Das Ziel hat keinen Kopf, der auf einen Punkt blicken könnte. Sein Gelenk in der Zuordnung wählen.",
    "視線を向ける頭がターゲットにありません。マッピングでジョイントを選んでください。",
  ),
  "mapped-by-shape": w(
    "The names do not tell enough, so the slots are guesses from the shape of the rig. Check them in the mapping.",
    "Die Namen sagen zu wenig, die Plätze sind aus der Gestalt geraten. Sie in der Zuordnung prüfen.",
    "名前から判断できないため、形から推定しました。マッピングで確認してください。",
  ),
  "material-unreadable": w(
    "A material cannot be read and is drawn white. Export the file again if colours matter.",
    "Ein Material ist unlesbar und wird weiß gezeichnet. Neu exportieren, wenn Farben zählen.",
    "読み取れないマテリアルを白で表示します。色が必要なら書き出し直してください。",
  ),
  "mesh-compressed": w(
    "A compressed mesh cannot be drawn. Decompress the file to see it.",
    "Ein komprimiertes Netz kann nicht gezeichnet werden. Die Datei entpacken, um es zu sehen.",
    "圧縮されたメッシュは表示できません。表示するには展開してください。",
  ),
  "mesh-unreadable": w(
    "A mesh is left out of the picture because it is broken. Export the file again to see it.",
    "Ein Netz fehlt im Bild, weil es kaputt ist. Neu exportieren, um es zu sehen.",
    "壊れたメッシュは表示されません。表示するには書き出し直してください。",
  ),
  "mirror-axes-unfit": w(
    "Copied and flipped turns are no mirror for this rig. Leave the older way of mirroring out.",
    "Übernommene und umgedrehte Drehungen sind bei diesem Rig kein Spiegelbild. Die ältere Art zu spiegeln weglassen.",
    "このリグでは回転の単純な反転ではミラーになりません。旧方式のミラーを使わないでください。",
  ),
  "motion-up-differs": w(
    "The clip stands upright along another axis than the rest pose. Check that the result stands.",
    "Der Clip steht entlang einer anderen Achse aufrecht als die Ruhepose. Prüfen, ob das Ergebnis steht.",
    "クリップと基準ポーズで上方向の軸が違います。結果が立っているか確認してください。",
  ),
  "linked-by-name": w(
    "Bodies of an unknown kind: joints of equal names go together. Look at the result.",
    "Körper unbekannter Art: Gelenke mit gleichem Namen gehören zusammen. Das Ergebnis ansehen.",
    "種類の分からない体です。同じ名前のジョイントを対応させました。結果を確認してください。",
  ),
  "no-links": w(
    "The two rigs have no slot in common. Choose joints in the mapping.",
    "Die beiden Rigs haben keinen Platz gemeinsam. In der Zuordnung Gelenke wählen.",
    "両方のリグに共通するスロットがありません。マッピングでジョイントを選んでください。",
  ),
  "no-skeleton": w(
    "The file holds neither a skeleton nor an animation of joints. Check whether the skeleton was exported.",
    "Die Datei enthält weder Skelett noch Bewegung von Gelenken. Prüfen, ob das Skelett exportiert wurde.",
    "ファイルにスケルトンもジョイントの動きもありません。書き出し設定を確認してください。",
  ),
  "not-in-asset": w(
    "The recipe holds what a .retarget file has no place for. Use the recipe itself where that matters.",
    "Das Rezept enthält etwas, wofür eine .retarget-Datei keinen Platz hat. Wo es zählt, das Rezept selbst benutzen.",
    ".retargetファイルに保存できない設定があります。必要な場合はレシピを使ってください。",
  ),
  "nothing-moves": w(
    "A clip moves joints of the source and none of the target. Check mapping and weights.",
    "Ein Clip bewegt Gelenke der Quelle und keines des Ziels. Zuordnung und Gewichte prüfen.",
    "ソースは動きますが、ターゲットは動きません。マッピングと重みを確認してください。",
  ),
  "palms-unknown": w(
    "Nothing shows how the hands are rolled. If they look wrong, turn them in the retarget pose.",
    "Nichts zeigt, wie die Hände gedreht sind. Sehen sie falsch aus, sie in der Übertragungspose drehen.",
    "手のひらの向きが分かりません。おかしければリターゲットポーズで手を回してください。",
  ),
  "pose-missing": w(
    "The recipe asks for a pose that the file does not have. Choose “auto” or another pose.",
    "Das Rezept verlangt eine Pose, die die Datei nicht hat. „auto“ oder eine andere wählen.",
    "レシピの指すポーズがファイルにありません。「auto」か別のポーズを選んでください。",
  ),
  "rebind-inexact": w(
    "A re-based skin does not do all that a retarget does. Look at the result.",
    "Eine umgesetzte Haut leistet nicht alles, was eine Übertragung leistet. Das Ergebnis ansehen.",
    "スキンの付け替えではリターゲットと完全には一致しません。結果を確認してください。",
  ),
  "report-lengths-differ": w(
    "A clip and its result are not equally long. Only the time that both have is measured.",
    "Ein Clip und sein Ergebnis sind nicht gleich lang. Gemessen wird nur die gemeinsame Zeit.",
    "クリップと結果の長さが違います。共通する時間だけを評価します。",
  ),
  "rest-asymmetric": w(
    "The two sides of the reference pose differ. Look at the retarget pose; another pose can be chosen.",
    "Die beiden Seiten der Bezugspose sind verschieden. Die Übertragungspose ansehen; es lässt sich eine andere wählen.",
    "基準ポーズが左右非対称です。リターゲットポーズを確認してください。別のポーズも選べます。",
  ),
  "rest-from-bind": w(
    "The pose in which the skin was bound is used instead of the rest pose. Usually nothing to do.",
    "Statt der Ruhepose gilt die Pose, in der die Haut gebunden wurde. Meist nichts zu tun.",
    "レストポーズの代わりにバインドポーズを使います。通常は問題ありません。",
  ),
  "rest-from-clip": w(
    "A frame of the clip stands in for the rest pose. Look at hands and feet; a file of the rig in a T-pose is better.",
    "Ein Bild des Clips dient als Ruhepose. Hände und Füße ansehen; besser ist eine Datei des Rigs in T-Pose.",
    "クリップの一フレームを基準ポーズにします。手足を確認してください。Tポーズのファイルがあればより正確です。",
  ),
  "rest-from-offsets": w(
    "The rest pose stands only where the clip puts its joints. Nothing to do if the result looks right.",
    "Die Ruhepose steht nur dort, wohin der Clip ihre Gelenke setzt. Nichts zu tun, wenn das Ergebnis stimmt.",
    "クリップの位置情報で基準ポーズを補いました。結果が正しければ問題ありません。",
  ),
  "rest-from-stored": w(
    "A pose that the file stores is used instead of the rest pose. Usually nothing to do.",
    "Statt der Ruhepose gilt eine Pose, die die Datei speichert. Meist nichts zu tun.",
    "ファイルに保存されたポーズを基準にします。通常は問題ありません。",
  ),
  "rest-from-system": w(
    "The file shows no rest pose; what is known of the system that made it is used. Usually nothing has to be done.",
    "Die Datei zeigt keine Ruhepose; verwendet wird, was von dem System bekannt ist, das sie erzeugt hat. Meist ist nichts zu tun.",
    "レストポーズがないため、作成元システムの既知のポーズを使用しました。通常は対応不要です。",
  ),
  "rest-from-take": w(
    "Another file of the same rig shows how the joints lie. Usually nothing has to be done.",
    "Eine andere Datei desselben Rigs zeigt, wie die Gelenke liegen. Meist ist nichts zu tun.",
    "同じリグの別ファイルのポーズを使用しました。通常は対応不要です。",
  ),
  "rest-from-zero": w(
    "Nobody stands in the rest pose; the pose without any turned joint is used.",
    "In der Ruhepose steht niemand; benutzt wird die Pose, in der kein Gelenk gedreht ist.",
    "レストポーズは立ち姿ではないため、関節をまったく回さないポーズを使います。",
  ),
  "rest-is-moment": w(
    "The rest pose is a frame of the motion. Look at hands and feet.",
    "Die Ruhepose ist ein Bild der Bewegung. Hände und Füße ansehen.",
    "レストポーズはモーションの一コマです。手と足を確認してください。",
  ),
  "rest-not-standing": w(
    "The file holds no pose in which a person stands. A file of the same rig in a T-pose is better.",
    "Die Datei enthält keine Pose, in der ein Mensch steht. Besser ist eine Datei desselben Rigs in T-Pose.",
    "立ち姿のポーズがありません。同じリグのTポーズのファイルがあればより正確です。",
  ),
  "robot-included": w(
    "The description of a robot includes files that are not read. Give one in which everything is put together.",
    "Die Beschreibung eines Roboters bindet Dateien ein, die nicht gelesen werden. Eine geben, in der alles beisammen ist.",
    "ロボット記述が読み込めない外部ファイルを参照しています。一つにまとめたファイルを使ってください。",
  ),
  "robot-joint-fixed": w(
    "A joint of the robot does not turn and stays where it is. Nothing to do for grippers and wheels.",
    "Ein Gelenk des Roboters dreht sich nicht und bleibt, wo es ist. Bei Greifern und Rädern nichts zu tun.",
    "回転しない関節はそのままにします。グリッパーや車輪なら問題ありません。",
  ),
  "robot-range": w(
    "A joint of the robot has a limit that is no range. Correct it in the file.",
    "Ein Gelenk des Roboters hat eine Grenze, die kein Bereich ist. Sie in der Datei berichtigen.",
    "関節の可動範囲の指定に誤りがあります。ファイルを直してください。",
  ),
  "root-joint-missing": w(
    "The way over the ground should go to a root joint, but the target has none. Choose one, or leave the motion in place.",
    "Der Weg über den Boden soll an ein Wurzelgelenk, aber das Ziel hat keines. Eines wählen oder auf der Stelle bleiben.",
    "移動を渡すルートジョイントがターゲットにありません。選ぶか、その場の動きにしてください。",
  ),
  "sheared-matrix": w(
    "A node is sheared, which no joint can be. Apply the transforms where the file was made.",
    "Ein Knoten ist verzerrt, was kein Gelenk sein kann. Die Transformationen dort anwenden, wo die Datei entstand.",
    "せん断されたノードがあります。作成元でトランスフォームを適用してください。",
  ),
  "sides-swapped": w(
    "The joints named left lie on the right of the body. If both rigs are so it is right; else swap them in the mapping.",
    "Gelenke, die „links“ heißen, liegen rechts. Sind beide Rigs so, stimmt es; sonst in der Zuordnung tauschen.",
    "「左」という名のジョイントが体の右側にあります。片方だけならマッピングで入れ替えてください。",
  ),
  "sides-unsure": w(
    "Nothing shows which side is left. If the character walks backwards, swap the sides in the mapping.",
    "Nichts zeigt, welche Seite links ist. Geht die Figur rückwärts, die Seiten in der Zuordnung tauschen.",
    "左右が判別できません。後ろ向きに歩く場合はマッピングで左右を入れ替えてください。",
  ),
  "skin-compressed": w(
    "The matrices of a skin are compressed, so its bind pose is unknown. Usually nothing to do.",
    "Die Matrizen einer Haut sind komprimiert, ihre Bindepose ist unbekannt. Meist nichts zu tun.",
    "スキンの行列が圧縮されており、バインドポーズが不明です。通常は問題ありません。",
  ),
  "skin-unbound": w(
    "The meshes do not show where trunk or arms are, so arms are not kept out of the body. Bind the mesh to the skeleton.",
    "Die Netze zeigen nicht, wo Rumpf oder Arme sind; Arme werden nicht aus dem Körper gehalten. Das Netz an das Skelett binden.",
    "メッシュから胴体や腕の形が分からないため、腕が体にめり込むことがあります。メッシュをスケルトンにバインドしてください。",
  ),
  "slot-missing": w(
    "A body part that every body of this kind has was not found. Choose its joint in the mapping.",
    "Ein Körperteil, den jeder Körper dieser Art hat, wurde nicht gefunden. Sein Gelenk in der Zuordnung wählen.",
    "通常あるはずの部位が見つかりません。マッピングでジョイントを選んでください。",
  ),
  "spacing-unused": w(
    "The target has no arm or leg that could be spread. Choose its joints in the mapping.",
    "Das Ziel hat keinen Arm und kein Bein, das sich spreizen ließe. Seine Gelenke in der Zuordnung wählen.",
    "間隔を広げる腕や脚がターゲットにありません。マッピングでジョイントを選んでください。",
  ),
  "times-equal": w(
    "Keys of a track have the same time and are read as a jump. Usually nothing to do.",
    "Schlüssel einer Spur haben die gleiche Zeit und gelten als Sprung. Meist nichts zu tun.",
    "同じ時刻のキーがあり、瞬間的な切り替えとして扱います。通常は問題ありません。",
  ),
  "times-fall": w(
    "Key times run backwards by a rounding error. Nothing to do.",
    "Zeiten von Schlüsseln laufen um einen Rundungsfehler rückwärts. Nichts zu tun.",
    "キーの時刻に丸め誤差による逆行があります。問題ありません。",
  ),
  "times-negative": w(
    "A clip has keys before time 0; all of it was moved to start there. Nothing to do if its timing fits.",
    "Ein Clip hat Schlüssel vor der Zeit 0; er wurde als Ganzes dorthin verschoben. Nichts zu tun, wenn sein Beginn passt.",
    "0秒より前のキーがあるため、クリップ全体を0秒から始まるようにずらしました。タイミングが合っていれば問題ありません。",
  ),
  "toes-missing": w(
    "Nothing shows where the feet point. If they look wrong, turn them in the retarget pose.",
    "Nichts zeigt, wohin die Füße weisen. Sehen sie falsch aus, sie in der Übertragungspose drehen.",
    "足の向きが分かりません。おかしければリターゲットポーズで足を回してください。",
  ),
  "track-empty": w(
    "An animation channel has no keys. Nothing to do if the joint should not move.",
    "Ein Animationskanal hat keine Schlüssel. Nichts zu tun, wenn das Gelenk ruhen soll.",
    "キーのないチャンネルがあります。動かないジョイントなら問題ありません。",
  ),
  "twin-missing": w(
    "A joint has no counterpart on the other side. Nothing to do if only one side has such a thing.",
    "Ein Gelenk hat auf der anderen Seite kein Gegenstück. Nichts zu tun, wenn nur eine Seite so etwas hat.",
    "反対側に対応するジョイントがありません。片側だけのものなら問題ありません。",
  ),
  "twist-share-unused": w(
    "A joint was given a share of a limb's roll that it cannot have. Take it out.",
    "Ein Gelenk bekam einen Anteil an der Drehung eines Glieds, den es nicht haben kann. Ihn entfernen.",
    "割り当てられないツイスト配分があります。外してください。",
  ),
  "unit-guessed": w(
    "The file does not say how long a unit is, so it is taken from the body. Nothing to do for retargeting.",
    "Die Datei sagt nicht, wie lang eine Einheit ist; sie wird am Körper abgelesen. Für die Übertragung nichts zu tun.",
    "単位が不明なため体格から推定しました。リターゲットには影響ありません。",
  ),
  "unit-unlikely": w(
    "The character is too large or too small for the unit that the file states. Nothing to do for retargeting.",
    "Die Figur ist für die angegebene Einheit zu groß oder zu klein. Für die Übertragung nichts zu tun.",
    "記述された単位に対してサイズが不自然です。リターゲットには影響ありません。",
  ),
  "verdict-fail": w(
    "The result is not good enough by at least one figure. Look at the moments that the report names.",
    "Das Ergebnis ist nach mindestens einer Kennzahl nicht gut genug. Die Augenblicke ansehen, die der Bericht nennt.",
    "基準に届かない数値があります。レポートが示す瞬間を確認してください。",
  ),
  "vrm-unreadable": w(
    "The VRM part of the file cannot be read. Export it again, and check the mapping.",
    "Der VRM-Teil der Datei ist unlesbar. Neu exportieren und die Zuordnung prüfen.",
    "VRMの部分を読み取れません。書き出し直し、マッピングを確認してください。",
  ),
  "vrma-motion-lost": w(
    "In a VRM animation only the hips move, and this clip moves more. Write a GLB where that matters.",
    "In einer VRM-Animation verschieben sich nur die Hüften, dieser Clip verschiebt mehr. Wo es zählt, GLB schreiben.",
    "VRMAでは腰以外の移動を保存できません。必要ならGLBで書き出してください。",
  ),
  "vrma-rest-not-t": w(
    "A VRM animation is written from a skeleton that does not stand in a T-pose. Retarget onto a VRM avatar first if players bend limbs.",
    "Eine VRM-Animation entsteht aus einem Skelett, das nicht in T-Pose steht. Biegen Abspieler Glieder, erst auf einen VRM-Avatar übertragen.",
    "Tポーズでないスケルトンから VRMA を作成します。手足が曲がる場合は、先にVRMアバターへリターゲットしてください。",
  ),
  "zero-rotation": w(
    "A rotation is zero, which is no rotation. Export the file again if the joint should turn.",
    "Eine Drehung ist null, also keine. Neu exportieren, wenn sich das Gelenk drehen soll.",
    "無効な回転（すべて0）があります。回転するはずのジョイントなら書き出し直してください。",
  ),
};

/** What a code means, in the language of the page; none for a code that came later than this page. */
export function meaningOf(code: string): string | null {
  return (warningTexts[code] ?? errorTexts[code])?.[language()] ?? null;
}

/** Names in quotes out of a message: which joint, which slot. */
export function namesIn(message: string): string[] {
  return [...new Set([...message.matchAll(/"([^"]{1,60})"/g)].map((found) => found[1] ?? ""))].slice(0, 6);
}
