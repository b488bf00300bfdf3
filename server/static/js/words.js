// Every sentence of the page in Chinese and English, and the names of the tiles.

import { LEARN_WORDS } from "./words_learn.js";
import { LIVE_WORDS } from "./words_live.js";
import { PLAY_WORDS } from "./words_play.js";
import { TABLE_WORDS } from "./words_table.js";
import { TILES_WORDS } from "./words_tiles.js";

const WORDS = {
  ...TABLE_WORDS,
  ...LEARN_WORDS,
  ...LIVE_WORDS,
  ...PLAY_WORDS,
  ...TILES_WORDS,
  views: ["页面", "Views"],
  view_score: ["算番", "Score"],
  view_opening: ["开牌", "Opening"],
  view_sheet: ["账本", "Sheet"],
  view_learn: ["学牌", "Learn"],
  title: ["捉伍 · 天津麻将算番", "Zhuowu · Tianjin mahjong scoring"],
  tagline: ["拍一张牌，看值几番", "One photo of a hand, and what it is worth"],
  otherLanguage: ["English", "中文"],
  themeDark: ["换成深色", "Switch to dark"],
  themeLight: ["换成浅色", "Switch to light"],
  photo: ["照片", "Photo"],
  takePhoto: ["拍照", "Take a photo"],
  choosePhoto: ["选照片", "Choose a photo"],
  byHand: ["不用照片，手动摆牌", "No photo: lay tiles by hand"],
  dropHint: ["也可以把照片拖到这里，或粘贴", "You can also drop a photo here, or paste one"],
  dropNow: ["松手就读这张照片", "Let go to read this photo"],
  samples: ["试试样张", "Try a sample"],
  sampleNumber: ["样张 {n}", "Sample {n}"],
  reading: ["正在认牌……", "Reading the tiles…"],
  starting: ["正在准备……", "Getting ready…"],
  readDone: ["认出 {n} 张牌", "{n} tiles found"],
  noTiles: [
    "照片里没有认出牌。请拍近一点、正一点，光线亮一些；也可以手动摆牌。",
    "No tiles were found. Take the photo closer, straighter and in better light, or lay the tiles by hand.",
  ],
  tilesOnPhoto: ["照片上的牌，点一下可以改", "Tiles on the photo; tap one to change it"],
  markIndicator: ["在照片上点翻混牌", "Mark the turned tile on the photo"],
  markIndicatorOn: ["请点照片上翻开的那张牌", "Now tap the turned tile on the photo"],
  hidePhotoTip: ["虚线框是没看准的", "Dashed boxes are uncertain"],
  hand: ["手牌", "Hand"],
  handCount: ["手牌 {n} 张", "Hand, {n} tiles"],
  drawn: ["抓的牌", "Drawn tile"],
  drawnNone: ["没有单放", "none set apart"],
  indicator: ["翻混牌", "Turned tile"],
  indicatorNone: ["点这里选", "tap to choose"],
  jokers: ["混儿", "Jokers"],
  jokersNone: ["没选翻混牌，按没有混儿算", "No turned tile yet: scored without jokers"],
  jokersAre: ["混儿是", "Jokers are"],
  aside: ["旁边的牌（不算在内）", "Aside (not counted)"],
  asidePlace: ["旁边", "Aside"],
  pong: ["碰", "Pung"],
  gang_open: ["明杠", "Open kong"],
  gang_concealed: ["暗杠", "Concealed kong"],
  yourTiles: ["牌", "Tiles"],
  undo: ["撤销", "Undo"],
  redo: ["重做", "Redo"],
  addTile: ["加牌", "Add"],
  sort: ["理牌", "Sort"],
  clear: ["清空", "Clear"],
  editHelp: ["点一张牌可以改、移、删。", "Tap a tile to change, move or delete it."],
  keyHelp: [
    "键盘：方向键走，回车打开，直接打 5m 改牌，Delete 删，Ctrl+Z 撤销。",
    "Keys: arrows walk, Enter opens, type 5m to change, Delete removes, Ctrl+Z undoes.",
  ],
  likely: ["很可能是", "Most likely"],
  allTiles: ["所有的牌", "All tiles"],
  faceDown: ["扣着的牌", "Face down"],
  moveTo: ["放到", "Move to"],
  layAs: ["摆成", "Lay out as"],
  meldIs: ["这副是", "This set is"],
  breakMeld: ["拆回手牌", "Back to the hand"],
  dropMeld: ["删掉整副", "Delete the set"],
  deleteTile: ["删掉这张", "Delete this tile"],
  close: ["关闭", "Close"],
  done: ["好了", "Done"],
  chooseFor: ["这张是什么牌？", "Which tile is this?"],
  chooseDrawn: ["抓的是哪张？", "Which tile was drawn?"],
  chooseIndicator: ["翻出来的是哪张？", "Which tile was turned?"],
  chooseAdd: ["加哪些牌？点几下加几张", "Add which tiles? Each tap adds one"],
  added: ["加了 {tile}", "Added {tile}"],
  removed: ["删了 {tile}", "Deleted {tile}"],
  changed: ["改成了 {tile}", "Changed to {tile}"],
  undone: ["撤销了一步", "Undid one step"],
  redone: ["重做了一步", "Redid one step"],
  moreDoubts: ["还有 {n} 处", "{n} more"],
  doubts: ["请看一眼", "Please check"],
  otherTile: ["别的牌…", "Another tile…"],
  dismiss: ["知道了", "All right"],
  isTile: ["是{tile}", "{tile}"],
  answer: ["算番", "Score"],
  fan: ["番", "fan"],
  fanCount: ["{n} 番", "{n} fan"],
  win: ["和了", "A win"],
  noWin: ["还不能和", "Not a win"],
  waitsTitle: ["听 {n} 种牌", "Waiting for {n} kinds"],
  waitsAny: ["听任意一张牌", "Waiting for any tile at all"],
  waitsNone: ["没听牌", "Not waiting yet"],
  waitsNoneWhy: [
    "再抓哪一张都和不了。14 张一起放进来，或换张牌试试。",
    "No tile drawn next would win. Change a tile, or check that all tiles are here.",
  ],
  seenAll: ["（手里已经有了这几种的全部四张）", "(all four of these are already in the hand)"],
  left: ["还有 {n} 张", "{n} left"],
  leftHint: ["小字是照片上看不见、还可能抓到的张数", "Small figures: how many are not in view and may still come"],
  candidatesTitle: ["哪张是抓的？", "Which tile was drawn?"],
  candidatesWhy: [
    "14 张里没有单放的牌。点一下抓的那张，每张下面是它的番数。",
    "None of the 14 tiles is set apart. Tap the one just drawn; below each is what it scores.",
  ],
  noneWins: ["14 张里无论哪张是抓的，都不能和。", "Whichever of the 14 tiles was drawn, it does not win."],
  tellDrawn: ["点一下抓的那张", "Tap the tile that was drawn"],
  whyNot: ["为什么", "Why"],
  how: ["怎么算的", "How it counts"],
  groups: ["牌是这样分的", "The hand as it is read"],
  pair: ["对子", "Pair"],
  run: ["顺子", "Run"],
  triplet: ["刻子", "Triplet"],
  standsFor: ["当{tile}", "as {tile}"],
  drawnMark: ["抓", "drawn"],
  alsoCalled: ["也叫", "Also"],
  empty: ["还没有牌", "No tiles yet"],
  emptyWhy: ["给一张照片，或点“加牌”。", "Give it a photo, or tap “Add”."],
  impossible: ["这手牌还差一点", "This hand is not whole yet"],
  circumstances: ["这一把是", "This hand was"],
  gang_draw: ["杠开（杠后抓的）", "Won on a kong's tile (杠开)"],
  heavenly: ["天和（庄家起手）", "Dealt win (天和)"],
  earthly: ["地和（闲家头一张）", "First-draw win (地和)"],
  rules: ["规则", "Rules"],
  preset: ["打法", "House rules"],
  moreRules: ["更多规则", "More rules"],
  customRules: ["自定", "Your own"],
  resetRules: ["恢复这种打法", "Back to these rules"],
  privacy: ["照片只在这台机器上读，读完不留。", "Photos are read on this machine only and are not kept."],
  times: ["×{n}", "×{n}"],
  plus: ["+{n}", "+{n}"],
  confidence: ["把握 {p}%", "{p}% sure"],
  uncertain: ["没看准", "uncertain"],
  isJoker: ["混儿", "joker"],
  skip: ["跳到算番结果", "Skip to the score"],
};

const RANKS = "一二三四伍六七八九";
const SUITS = { m: ["万", "Characters"], p: ["饼", "Dots"], s: ["条", "Bamboo"] };
const HONOURS = [
  ["东", "East"], ["南", "South"], ["西", "West"], ["北", "North"],
  ["白", "White"], ["发", "Green"], ["中", "Red"],
];

let language = "zh";

export const LANGUAGES = ["zh", "en"];
export const currentLanguage = () => language;

export function setLanguage(value) {
  language = value === "en" ? "en" : "zh";
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/** The sentence for a key, with {name} filled in. */
export function t(key, values = {}) {
  const both = WORDS[key];
  if (!both) throw new Error(`no such sentence: ${key}`);
  return both[language === "zh" ? 0 : 1].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The text of a value that carries both languages; an English sentence starts large. */
export const say = (both) =>
  (language === "zh" ? both.zh : both.en.charAt(0).toUpperCase() + both.en.slice(1));

/** A tile's name: 伍万, or 5 Characters. */
export function tileName(code) {
  const index = language === "zh" ? 0 : 1;
  if (code === "back") return t("faceDown");
  if (code.startsWith("die")) return language === "zh" ? `色子 ${code[3]}` : `Die ${code[3]}`;
  const [rank, suit] = code;
  if (suit === "z") return HONOURS[rank - 1][index] + (index && rank <= 4 ? " wind" : "");
  return index ? `${rank} ${SUITS[suit][1]}` : RANKS[rank - 1] + SUITS[suit][0];
}

/** The text of a value in both languages, with MPSZ codes in it said as names. */
export function sayTiles(both) {
  const text = say(both).replace(/\b(?:[1-9][mps]|[1-7]z|back)\b/g, (code) => tileName(code));
  // The blanks around a code are not wanted around a Chinese name.
  return text.replace(/(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, "");
}

/** A short label for the photo. */
export function tileLabel(code) {
  if (language === "zh") return code === "back" ? "扣" : tileName(code).replace("色子 ", "⚀");
  return code;
}
