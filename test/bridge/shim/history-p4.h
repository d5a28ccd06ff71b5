// The history of a p4 account as MQL4 shows it: rows in no certain order, one of them selected.
#pragma once
#include "web.h"

constexpr int SELECT_BY_POS = 0;
constexpr int SELECT_BY_TICKET = 1;
constexpr int MODE_HISTORY = 1;
constexpr int OP_BUY = 0;
constexpr int OP_SELL = 1;

struct HistoryOrder {
  int ticket, type;
  datetime openTime, closeTime;
  double lots, openPrice, closePrice, profit, swap, commission;
  std::string symbol, comment;
};

inline std::vector<HistoryOrder> history;
inline const HistoryOrder *selectedOrder = nullptr;

inline int OrdersHistoryTotal() { return static_cast<int>(history.size()); }

inline bool OrderSelect(int index, int by, int pool) {
  if (pool != MODE_HISTORY) criticalError("only the history is known here");
  selectedOrder = nullptr;
  if (by == SELECT_BY_POS) {
    if (index >= 0 && index < OrdersHistoryTotal()) selectedOrder = &history[static_cast<size_t>(index)];
    return selectedOrder != nullptr;
  }
  for (size_t i = 0; i < history.size() && selectedOrder == nullptr; i++)
    if (history[i].ticket == index) selectedOrder = &history[i];
  return selectedOrder != nullptr;
}

inline const HistoryOrder &order() {
  if (selectedOrder == nullptr) criticalError("no order is selected");
  return *selectedOrder;
}

inline int OrderTicket() { return order().ticket; }
inline int OrderType() { return order().type; }
inline double OrderLots() { return order().lots; }
inline string OrderSymbol() { return order().symbol.c_str(); }
inline string OrderComment() { return order().comment.c_str(); }
inline datetime OrderOpenTime() { return order().openTime; }
inline datetime OrderCloseTime() { return order().closeTime; }
inline double OrderOpenPrice() { return order().openPrice; }
inline double OrderClosePrice() { return order().closePrice; }
inline double OrderProfit() { return order().profit; }
inline double OrderSwap() { return order().swap; }
inline double OrderCommission() { return order().commission; }
