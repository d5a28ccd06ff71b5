//+------------------------------------------------------------------+
//| Feeds balance, equity and deals of a p5 terminal to Plimsoll.    |
//| Reads only: it never trades, and the investor password suffices. |
//+------------------------------------------------------------------+
#ifndef __cplusplus   // The tests compile this file as C++
#property version "1.00"
#property description "Sends balance, equity and deals to a Plimsoll server. Never trades."
#endif

#include "Json.mqh"
#include "Rows.mqh"
#include "RowFile.mqh"
#include "Post.mqh"
#include "Sender.mqh"

#define HISTORY_HINT ""

#define DEAL_KINDS 21
#define CREDIT_COMPENSATION 20   // Takes credit back at a stop-out

//--- By the numbers of ENUM_DEAL_TYPE; the last ones are seen in histories, but not listed there
const string DEAL_WORDS[DEAL_KINDS]=
  {
   "BUY","SELL","BALANCE","CREDIT","CHARGE","CORRECTION","BONUS","COMMISSION","COMMISSION_DAILY",
   "COMMISSION_MONTHLY","COMMISSION_AGENT_DAILY","COMMISSION_AGENT_MONTHLY","INTEREST",
   "BUY_CANCELED","SELL_CANCELED","DIVIDEND","DIVIDEND_FRANKED","TAX","AGENT","SO_COMPENSATION",
   "SO_COMPENSATION_CREDIT"
  };
const string ENTRY_WORDS[4]={"IN","OUT","INOUT","OUT_BY"};

//--- The part that only executions have
string ExecutionFields(const ulong deal)
  {
   string symbol=HistoryDealGetString(deal,DEAL_SYMBOL);
   long   position=HistoryDealGetInteger(deal,DEAL_POSITION_ID);
   long   entry=HistoryDealGetInteger(deal,DEAL_ENTRY);
   string fields=",\"symbol\":"+JsonText(symbol)
                 +",\"volume\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_VOLUME))
                 +",\"price\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_PRICE));
   if(position!=0)
      fields+=",\"positionId\":\""+IntegerToString(position)+"\"";
   if(entry>=0 && entry<4)
      fields+=",\"entry\":\"DEAL_ENTRY_"+ENTRY_WORDS[(int)entry]+"\"";
   return(fields+SymbolFields(symbol));
  }

string DealRecord(const long ticket)
  {
   ulong  deal=(ulong)ticket;
   int    type=(int)HistoryDealGetInteger(deal,DEAL_TYPE);
   long   time=HistoryDealGetInteger(deal,DEAL_TIME_MSC);
   string comment=HistoryDealGetString(deal,DEAL_COMMENT);
   string word="OTHER";
   if(type>=0 && type<DEAL_KINDS)
      word=DEAL_WORDS[type];
   else
      comment="type "+IntegerToString(type)+(comment=="" ? "" : ": "+comment);
   string record="{\"id\":\""+IntegerToString(ticket)+"\",\"type\":\"DEAL_TYPE_"+word
                 +"\",\"brokerTime\":"+JsonTime(time/1000,(int)(time%1000))
                 +",\"profit\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_PROFIT))
                 +",\"swap\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_SWAP))
                 +",\"commission\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_COMMISSION))
                 +",\"fee\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_FEE))
                 +",\"comment\":"+JsonText(comment);
   if(type==DEAL_TYPE_BUY || type==DEAL_TYPE_SELL
      || type==DEAL_TYPE_BUY_CANCELED || type==DEAL_TYPE_SELL_CANCELED)
      record+=ExecutionFields(deal);
   return(record+"}");
  }

#include "Recorder.mqh"

double HalfUnit(void)
  {
   return(0.5/MathPow(10,(double)AccountInfoInteger(ACCOUNT_CURRENCY_DIGITS)));
  }

double MoneyOf(const ulong deal)
  {
   long type=HistoryDealGetInteger(deal,DEAL_TYPE);
   if(type==DEAL_TYPE_CREDIT || type==CREDIT_COMPENSATION)
      return(0);
   return(HistoryDealGetDouble(deal,DEAL_PROFIT)+HistoryDealGetDouble(deal,DEAL_SWAP)
          +HistoryDealGetDouble(deal,DEAL_COMMISSION)+HistoryDealGetDouble(deal,DEAL_FEE));
  }

//--- Shows all deals, or those of the last week. How many there are; -1 while unknown
int ReadHistory(Recorder &recorder)
  {
   datetime now=TimeCurrent();
   datetime from=(recorder.NeedsAll() ? 0 : now-OVERLAP_SECONDS);
   if(!HistorySelect(from,now+OVERLAP_SECONDS))
      return(-1);
   int total=HistoryDealsTotal();
   if(recorder.HasRead(total))
      return(total);
   for(int i=0; i<total; i++)
     {
      ulong deal=HistoryDealGetTicket(i);
      if(deal==0)
         return(-1);
      recorder.Meet((long)deal,HistoryDealGetInteger(deal,DEAL_TIME),MoneyOf(deal));
     }
   return(total);
  }

#include "Events.mqh"
//+------------------------------------------------------------------+
