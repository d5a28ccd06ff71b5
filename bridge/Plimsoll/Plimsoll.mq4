//+------------------------------------------------------------------+
//| Feeds balance, equity and orders of a p4 terminal to Plimsoll.   |
//| Reads only: it never trades, and the investor password suffices. |
//+------------------------------------------------------------------+
#ifndef __cplusplus   // The tests compile this file as C++
#property strict
#property version "1.00"
#property description "Sends balance, equity and orders to a Plimsoll server. Never trades."
#endif

#include "Json.mqh"
#include "Rows.mqh"
#include "RowFile.mqh"
#include "Post.mqh"
#include "Sender.mqh"

#define HISTORY_HINT ". Choose \"All History\" in the menu of the Account History tab"
#define OP_BALANCE_ROW 6     // Deposits and withdrawals; MQL4 has no names for these types
#define OP_CREDIT_ROW 7

double HalfUnit(void)
  {
   return(0.005);
  }

//--- Balance operations may have no time of closing
long ClosedAt(void)
  {
   return((long)(OrderCloseTime()>0 ? OrderCloseTime() : OrderOpenTime()));
  }

double MoneyOfOrder(void)
  {
   return(OrderType()==OP_CREDIT_ROW ? 0 : OrderProfit()+OrderSwap()+OrderCommission());
  }

//--- Types above those known are nothing but money of some kind
bool IsOperation(void)
  {
   return(OrderType()>=OP_BALANCE_ROW);
  }

//--- Not cancelled orders, nor the empty row that a "close by" leaves of its smaller side
bool HasDeals(void)
  {
   if(OrderType()==OP_BUY || OrderType()==OP_SELL)
      return(OrderLots()>0 || MoneyOfOrder()!=0);
   return(IsOperation());
  }

string OperationRecord(void)
  {
   string word="OTHER";
   string comment=OrderComment();
   if(OrderType()==OP_BALANCE_ROW)
      word="BALANCE";
   else if(OrderType()==OP_CREDIT_ROW)
      word="CREDIT";
   else
      comment="type "+IntegerToString(OrderType())+(comment=="" ? "" : ": "+comment);
   return("{\"id\":\""+IntegerToString(OrderTicket())+"\",\"type\":\"DEAL_TYPE_"+word
          +"\",\"brokerTime\":"+JsonTime(ClosedAt())
          +",\"profit\":"+JsonNumber(OrderProfit())
          +",\"comment\":"+JsonText(comment)+"}");
  }

//--- The deal that opened the selected ticket, or the one that closed it, which bears all money
string ExecutionRecord(const bool isOpening)
  {
   string ticket=IntegerToString(OrderTicket());
   bool   isBuy=((OrderType()==OP_BUY)==isOpening);
   string record="{\"id\":\""+ticket+(isOpening ? "-in" : "-out")
                 +"\",\"positionId\":\""+ticket
                 +"\",\"type\":\"DEAL_TYPE_"+(isBuy ? "BUY" : "SELL")
                 +"\",\"entry\":\"DEAL_ENTRY_"+(isOpening ? "IN" : "OUT")
                 +"\",\"symbol\":"+JsonText(OrderSymbol())
                 +",\"volume\":"+JsonNumber(OrderLots())
                 +",\"price\":"+JsonNumber(isOpening ? OrderOpenPrice() : OrderClosePrice())
                 +",\"brokerTime\":"+JsonTime(isOpening ? (long)OrderOpenTime() : ClosedAt())
                 +",\"profit\":"+JsonNumber(isOpening ? 0 : OrderProfit())
                 +",\"comment\":"+JsonText(OrderComment());
   if(!isOpening)
      record+=",\"swap\":"+JsonNumber(OrderSwap())
              +",\"commission\":"+JsonNumber(OrderCommission());
   return(record+SymbolFields(OrderSymbol())+"}");
  }

string DealRecord(const long ticket)
  {
   if(!OrderSelect((int)ticket,SELECT_BY_TICKET,MODE_HISTORY))
      return("null");
   if(OrderType()>OP_SELL)
      return(OperationRecord());
   return(JoinedDeals(ExecutionRecord(true),ExecutionRecord(false)));
  }

#include "Recorder.mqh"

//--- Shows all closed orders, in whatever order they are. How many rows there are; -1 while unknown
int ReadHistory(Recorder &recorder)
  {
   int total=OrdersHistoryTotal();
   if(recorder.HasRead(total))
      return(total);
   for(int i=0; i<total; i++)
     {
      if(!OrderSelect(i,SELECT_BY_POS,MODE_HISTORY))
         return(-1);
      if(HasDeals())
         recorder.Meet(OrderTicket(),ClosedAt(),MoneyOfOrder());
     }
   return(total);
  }

#include "Events.mqh"
//+------------------------------------------------------------------+
